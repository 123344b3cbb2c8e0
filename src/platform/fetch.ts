// The host's fetch as our http: a time limit of its own, no cookies, no redirects.

import { PlayerDataError } from '../error.ts'
import type { HttpRequest, HttpResponse, OnCancel } from '../port.ts'

export async function fetchHttp(request: HttpRequest, onCancel?: OnCancel): Promise<HttpResponse> {
  const { method, url, headers, body, timeoutMs, keepalive = false } = request
  const abort = new AbortController()
  let late = false
  const timer = setTimeout(() => {
    late = true
    abort.abort()
  }, timeoutMs)
  const off = onCancel?.(() => abort.abort())
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      credentials: 'omit',
      redirect: 'error', // a bearer token goes to the configured service and nowhere else
      // A POST is never answered from a cache, and to say so would cost it the cached preflight.
      cache: method === 'GET' ? 'no-store' : 'default',
      referrerPolicy: 'no-referrer',
      keepalive,
      signal: abort.signal,
    })
    const received: Record<string, string> = {}
    response.headers.forEach((value, name) => {
      received[name] = value
    })
    return { status: response.status, headers: received, body: await response.text() }
  } catch (cause) {
    if (late) {
      throw new PlayerDataError('timeout', `No reply came within ${timeoutMs} ms. Try again, or raise timeoutMs.`, { cause })
    }
    throw cause
  } finally {
    clearTimeout(timer)
    if (off) off()
  }
}
