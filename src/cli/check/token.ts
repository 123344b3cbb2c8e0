// Statements about access tokens that must not work, and about the refresh.

import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../../reply.ts'
import { fail, pass, type Statement, skipped, unspecified } from './finding.ts'
import { MARK, type Visit } from './visit.ts'
import { bareValue, isRefusal, isSuccess, NoReply } from './wire.ts'

const topic = 'Tokens'
const PATH = '/v1/player/status'
const MAX_WAIT_S = 5
/** A service may be lenient by a second, for the sake of clocks. */
const GRACE_MS = 1500

export const tokenStatements: Statement[] = [
  {
    id: 'token-unknown',
    topic,
    title: 'A made-up access token is refused with 401',
    section: 'Errors: 401; Authentication: use of tokens',
    fix: 'Answer 401 to every bearer token that the service did not issue.',
    check: (visit) => tryToken(visit, () => MARK),
  },
  {
    id: 'token-changed',
    topic,
    title: 'An access token with another signature is refused with 401',
    section: 'Errors: 401; Authentication: use of tokens',
    fix: 'Verify the signature of the token, not its content alone: else everyone can be every player.',
    check: (visit) => tryToken(visit, (token) => changed(token)),
  },
  {
    id: 'token-expired',
    topic,
    title: 'An expired access token is refused with 401',
    section: 'Errors: 401; Limits: access token lifetime',
    fix: 'Answer 401 once expiresIn seconds have passed since the token was issued.',
    async check(visit) {
      const reason = await obstacle(visit)
      if (reason) return skipped(reason)
      const { expiresIn = Number.POSITIVE_INFINITY, receivedAt, accessToken = '' } = await visit.session()
      if (expiresIn > MAX_WAIT_S) {
        return skipped(
          `the token lives ${expiresIn} s, and this check waits ${MAX_WAIT_S} s at most: give the service a shorter lifetime to see`,
        )
      }
      await sleep(Math.max(0, receivedAt + expiresIn * 1000 + GRACE_MS - Date.now()))
      return tryToken(visit, () => accessToken)
    },
  },
  {
    id: 'refresh',
    topic,
    title: 'POST /auth/refresh takes the refresh token of the login',
    section: 'Endpoints: POST /auth/refresh',
    fix: 'Answer 200 to { "refreshToken" } with a token that was handed out and not used, without asking for a bearer token.',
    async check(visit) {
      const lacking = await lackingRefreshToken(visit)
      if (lacking) return skipped(lacking)
      const reply = await visit.refreshed()
      return isSuccess(reply) ? pass(visit.describe(reply)) : fail(visit.describe(reply))
    },
  },
  {
    id: 'refresh-token',
    topic,
    title: 'The access token of a refresh works',
    section: 'Endpoints: POST /auth/refresh; States and transitions',
    fix: 'Hand out an access token that the data endpoints accept, for the same player.',
    async check(visit) {
      if (!(await refreshWorks(visit))) return skipped('the refresh did not work')
      const reason = await obstacle(visit)
      if (reason) return skipped(reason)
      const token = accessTokenOf(bareValue(await visit.refreshed()))
      if (token === undefined) return unspecified('the reply has no member accessToken, and its shape is not specified')
      const reply = await visit.get(PATH, { token })
      return isSuccess(reply) ? pass(visit.describe(reply)) : fail(visit.describe(reply))
    },
  },
  {
    id: 'refresh-unknown',
    topic,
    title: 'A made-up refresh token is refused',
    section: 'Errors: 401',
    fix: 'Answer 401 to every refresh token that the service did not issue.',
    async check(visit) {
      if (!(await refreshWorks(visit))) return skipped('the refresh did not work')
      const reply = await visit.refresh(MARK)
      if (reply.status === 401) return pass(visit.describe(reply))
      return isRefusal(reply) ? unspecified(`${visit.describe(reply)} (the contract infers 401)`) : fail(visit.describe(reply))
    },
  },
]

async function tryToken(visit: Visit, make: (token: string) => string) {
  const reason = await obstacle(visit)
  if (reason) return skipped(reason)
  const { accessToken = '' } = await visit.session()
  const reply = await visit.get(PATH, { token: make(accessToken) })
  return reply.status === 401 ? pass(visit.describe(reply)) : fail(visit.describe(reply))
}

/** Why nothing can be told of tokens. */
async function obstacle(visit: Visit): Promise<string | undefined> {
  return (await visit.lacking(PATH)) ?? ((await visit.works(PATH)) ? undefined : `${PATH} does not work with a good token`)
}

export async function lackingRefreshToken({ first, session }: Visit): Promise<string | undefined> {
  if (!isSuccess(first)) return 'the login was refused'
  return (await session()).refreshToken === undefined ? 'the login reply has no refreshToken' : undefined
}

export async function refreshWorks(visit: Visit): Promise<boolean> {
  if (await lackingRefreshToken(visit)) return false
  try {
    return isSuccess(await visit.refreshed())
  } catch (error) {
    if (error instanceof NoReply) return false
    throw error
  }
}

function accessTokenOf(value: unknown): string | undefined {
  const token = isObject(value) ? value.accessToken : undefined
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) ? token : undefined
}

/** With one character changed in the middle of its last part, where every bit counts. */
function changed(token: string): string {
  const start = token.lastIndexOf('.') + 1
  const at = start + Math.floor((token.length - start) / 2)
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
}
