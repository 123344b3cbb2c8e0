// The host's fetch as our http: a time limit of its own, no cookies, no redirects.

import { PlayerDataError } from '../error.ts'
import type { HttpRequest, HttpResponse } from '../port.ts'

export async function fetchHttp(request: HttpRequest, cancelled?: Promise<unknown>): Promise<HttpResponse> {
  const { method, url, headers, body, timeoutMs, keepalive = false } = request
  const abort = new AbortController()
  let late = false
  const timer = setTimeout(() => {
    late = true
    abort.abort()
  }, timeoutMs)
  if (cancelled) cancelled.then(() => abort.abort())
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      credentials: 'omit',
      redirect: 'error', // a bearer token goes to the configured service and nowhere else
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      keepalive,
      signal: abort.signal,
    })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  } catch (cause) {
    if (late) {
      throw new PlayerDataError('timeout', `No reply came within ${timeoutMs} ms. Try again, or raise timeoutMs.`, { cause })
    }
    throw cause
  } finally {
    clearTimeout(timer)
  }
}
