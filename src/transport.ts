// The way out: the host's http, with every failure turned into our own error, and the clock told of every reply's time.

import type { Clock } from './clock.ts'
import { isPlayerDataError, PlayerDataError } from './error.ts'
import type { HttpRequest, HttpResponse, Platform } from './port.ts'

export type Send = (request: HttpRequest) => Promise<HttpResponse>

/** A request that is over. Nothing of its headers or bodies. */
export interface RequestNews {
  /** In capitals. */
  method: string
  /** Without the host. */
  path: string
  /** 0 where no reply came. */
  status: number
  /** From the call to the end of the reply. */
  durationMs: number
}

/** Without a clock, the replies' times are of no interest. */
export function createTransport({ http, now }: Platform, clock?: Clock, onRequest: (news: RequestNews) => void = () => {}): Send {
  return async (request) => {
    const { method, url } = request
    const sentAt = now()
    let status = 0
    try {
      const response = await send(request)
      status = response.status
      const { date, age } = response.headers
      // A reply out of a cache tells the time at which it went in.
      if (clock && date && !age) clock.learn(Date.parse(date), sentAt, now())
      return response
    } finally {
      onRequest({ method, path: url.replace(/^\w+:[/][/][^/]*/, ''), status, durationMs: now() - sentAt })
    }
  }

  async function send(request: HttpRequest): Promise<HttpResponse> {
    try {
      // The service lists a content type among the headers of every request, bodyless ones too.
      return await http(Object.assign({}, request, { headers: Object.assign({ 'content-type': 'application/json' }, request.headers) }))
    } catch (cause) {
      if (isPlayerDataError(cause)) throw cause
      throw new PlayerDataError(
        'network',
        `No reply came from ${originOf(request.url)}. Check the connection and baseUrl, then try again.`,
        {
          cause,
        },
      )
    }
  }
}

function originOf(url: string): string {
  return url.split('/').slice(0, 3).join('/')
}
