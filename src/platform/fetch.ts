// The host's fetch as our http: a time limit of its own, no cookies, no redirects.

import { PlayerDataError } from '../error.ts'
import type { HttpRequest, HttpResponse } from '../port.ts'

export async function fetchHttp({ method, url, headers, body, timeoutMs }: HttpRequest): Promise<HttpResponse> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), timeoutMs)
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      credentials: 'omit',
      redirect: 'error', // a bearer token goes to the configured service and nowhere else
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: abort.signal,
    })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
  } catch (cause) {
    if (abort.signal.aborted) {
      throw new PlayerDataError('timeout', `No reply came within ${timeoutMs} ms. Try again, or raise timeoutMs.`, { cause })
    }
    throw cause
  } finally {
    clearTimeout(timer)
  }
}
