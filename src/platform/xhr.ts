// XMLHttpRequest as our http, in the part of it that Cocos Creator's native builds have: no readyState (it never gets to 4 after an
// error), no event objects, no withCredentials (it cannot be assigned), a limit of its own of ten seconds unless told another.

import type { HttpRequest, HttpResponse, OnCancel } from '../port.ts'
import { exchange, GRACE_MS, readHeaders } from './exchange.ts'

export function xhrHttp(request: HttpRequest, onCancel?: OnCancel): Promise<HttpResponse> {
  const { method, url, headers, body, timeoutMs } = request
  return exchange(request, onCancel, (resolve, reject) => {
    const xhr = new XMLHttpRequest()
    xhr.open(method, url, true)
    xhr.timeout = timeoutMs + GRACE_MS
    for (const name of Object.keys(headers)) xhr.setRequestHeader(name, headers[name] as string)
    xhr.onload = () => {
      if (!xhr.status) return reject(new Error('The host reports a reply without a status.'))
      const lines = (xhr.getAllResponseHeaders() || '').split('\n')
      resolve({
        status: xhr.status,
        headers: readHeaders(lines.map((line) => [line.split(':', 1)[0] as string, line.slice(line.indexOf(':') + 1)])),
        body: xhr.responseText,
      })
    }
    xhr.onerror = xhr.ontimeout = xhr.onabort = () => reject(new Error('The connection failed.'))
    if (body === undefined) xhr.send()
    else xhr.send(body)
    return () => xhr.abort()
  })
}
