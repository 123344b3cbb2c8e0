// The way out: the host's http, with every failure turned into our own error.

import { isPlayerDataError, PlayerDataError } from './error.ts'
import type { HttpRequest, HttpResponse, Platform } from './port.ts'

export type Send = (request: HttpRequest) => Promise<HttpResponse>

export function createTransport({ http }: Platform): Send {
  return async (request) => {
    try {
      // The service lists a content type among the headers of every request, bodyless ones too.
      return await http({ ...request, headers: { 'content-type': 'application/json', ...request.headers } })
    } catch (cause) {
      if (isPlayerDataError(cause)) throw cause
      throw new PlayerDataError('network', `No reply came from ${hostOf(request.url)}. Check the connection and baseUrl, then try again.`, {
        cause,
      })
    }
  }
}

function hostOf(url: string): string {
  return url.split('/').slice(0, 3).join('/')
}
