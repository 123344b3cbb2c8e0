// The host's fetch as our http: no cookies, no redirects.

import type { HttpRequest, HttpResponse, OnCancel } from '../port.ts'
import { exchange, readHeaders } from './exchange.ts'

export function fetchHttp(request: HttpRequest, onCancel?: OnCancel): Promise<HttpResponse> {
  const { method, url, headers, body, keepalive } = request
  return exchange(request, onCancel, (resolve, reject) => {
    const abort = new AbortController()
    fetch(url, {
      method,
      headers,
      body: body === undefined ? null : body,
      credentials: 'omit',
      redirect: 'error', // a bearer token goes to the configured service and nowhere else
      // A POST is never answered from a cache, and to say so would cost it the cached preflight.
      cache: method === 'GET' ? 'no-store' : 'default',
      referrerPolicy: 'no-referrer',
      keepalive: !!keepalive,
      signal: abort.signal,
    })
      .then(async (response) => {
        const received: [string, string][] = []
        response.headers.forEach((value, name) => {
          received.push([name, value])
        })
        return { status: response.status, headers: readHeaders(received), body: await response.text() }
      })
      .then(resolve, reject)
    return () => abort.abort()
  })
}
