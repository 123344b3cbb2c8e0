// What a reply to a batch of events means: one table, and nothing else.

import type { HttpResponse } from './port.ts'
import { isObject, isWebPage, parse } from './reply.ts'
import { retryAfterMs } from './retry.ts'

/**
 * - `accepted`: the service has it
 * - `too-large`: send less at once
 * - `refused`: one of the events is bad, or the service refuses everything
 * - `later`: not now; `waitMs` is what the service asked for
 * - `kept`: this will not go away soon; tell the game
 */
export interface Verdict {
  kind: 'accepted' | 'too-large' | 'refused' | 'later' | 'kept'
  waitMs?: number
}

/** `response` is undefined where none came. `now` is the corrected clock's, for a `Retry-After` that is a date. */
export function judge(response: HttpResponse | undefined, now: number): Verdict {
  if (!response) return { kind: 'later' }
  const { status, headers } = response
  if (status >= 200 && status < 300) return isService(response) ? { kind: 'accepted' } : { kind: 'later' }
  if (status === 413) return { kind: 'too-large' }
  if (status === 400 || status === 422) return { kind: 'refused' }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const waitMs = retryAfterMs(headers['retry-after'], now)
    return waitMs === undefined ? { kind: 'later' } : { kind: 'later', waitMs }
  }
  return { kind: 'kept' }
}

/** Not a captive portal's page, and not `{ status: "error" }`. What else a success says is not specified. */
function isService(response: HttpResponse): boolean {
  const value = parse(response.body)
  return !isWebPage(response) && !(isObject(value) && value.status === 'error')
}
