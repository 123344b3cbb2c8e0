// Statements about the five minutes within which a login's timestamp has to be of the service's time, in both directions.

import { fail, pass, type Statement, skipped } from './finding.ts'
import { hold } from './login.ts'
import type { Visit } from './visit.ts'
import { isSuccess, type Reply } from './wire.ts'

const MINUTE_MS = 60_000
/** Room for the way to the service, and for a clock that was read from a header of whole seconds. */
const MARGIN_MS = 20_000

type Side = -1 | 1
const describeSide = (side: Side) => (side < 0 ? 'behind' : 'ahead of')

const within = (id: string, side: Side): Statement => ({
  id,
  topic: 'Timestamps',
  title: `A timestamp 4 min 40 s ${describeSide(side)} the time of the service is accepted`,
  section: 'Authentication, signature rule 5; Limits',
  fix: `Accept timestamps up to 5 minutes ${describeSide(side)} the time of the service.`,
  async check({ first, login, describe }) {
    if (!isSuccess(first)) return skipped('the login was refused')
    const reply = await login({ offsetMs: side * (5 * MINUTE_MS - MARGIN_MS) })
    return isSuccess(reply) ? pass(describe(reply)) : fail(describe(reply))
  },
})

/** The refusal, kept for the statement about its body. */
const refusals = new WeakMap<Visit, Reply>()

const beyond = (id: string, side: Side): Statement => ({
  id,
  topic: 'Timestamps',
  title: `A timestamp 5 min 20 s ${describeSide(side)} the time of the service is refused with 400`,
  section: 'Authentication, signature rule 5; Limits',
  fix: `Answer 400 to a login whose timestamp is more than 5 minutes ${describeSide(side)} the time of the service: else a stolen signature works for longer.`,
  async check(visit) {
    if (!isSuccess(visit.first)) return skipped('the login was refused')
    const reply = await visit.login({ offsetMs: side * (5 * MINUTE_MS + MARGIN_MS) })
    if (reply.status === 400) refusals.set(visit, reply)
    return reply.status === 400 ? pass(visit.describe(reply)) : fail(visit.describe(reply))
  },
})

export const timestampStatements: Statement[] = [
  within('timestamp-behind', -1),
  within('timestamp-ahead', 1),
  beyond('timestamp-too-old', -1),
  beyond('timestamp-too-new', 1),
  {
    id: 'error-400',
    topic: 'Timestamps',
    title: 'A login refused with 400 says so in one of the two error forms',
    section: 'Errors: 400; General response format',
    fix: 'Send { "error": "text" } or { "error": { "code", "message" }, "status": "error" }, as application/json.',
    check(visit) {
      const reply = refusals.get(visit)
      return reply ? hold(visit, reply, 'POST', '/auth/login') : skipped('no login was refused with 400')
    },
  },
]
