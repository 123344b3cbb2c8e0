// Statements about the login: the signature, and what the reply hands out.

import { readTokenTimes } from '../../jwt.ts'
import { isObject, parse } from '../../reply.ts'
import { fail, pass, type Statement, skipped, unspecified } from './finding.ts'
import { MAX_OFFSET_MS, type Visit } from './visit.ts'
import { bareValue, isRefusal, isSuccess, type Reply } from './wire.ts'

const topic = 'Login'
const REFUSED = 'the login was refused'
/** Times in tokens are whole seconds, and issuing takes a moment. */
const LIFETIME_TOLERANCE_S = 5

export const loginStatements: Statement[] = [
  {
    id: 'login',
    topic,
    title: 'A login with a valid signature is accepted',
    section: 'Authentication, signature rules 1 to 4',
    fix: 'Sign apiKey|deviceId|timestamp with HMAC-SHA256 under the API secret, in standard Base64 with padding. `player-data sign` prints each stage to compare with. Check too that key, secret and --base-url belong together.',
    check: ({ first, describe, clockOffsetMs = 0 }) => {
      if (!isSuccess(first)) return fail(first.status === 404 ? `${describe(first)} (is --base-url right?)` : describe(first))
      return pass(`${describe(first)}${Math.abs(clockOffsetMs) > MAX_OFFSET_MS ? ', signed with the time of the service' : ''}`)
    },
  },
  {
    id: 'clock',
    topic,
    title: 'The clocks of the service and of this machine agree within a minute',
    section: 'Limits: timestamp tolerance',
    fix: 'Have the service set its clock by NTP; or, where this machine is the one that is wrong, this machine.',
    check({ clockOffsetMs }) {
      if (clockOffsetMs === undefined) return unspecified('neither a Date header nor the token tells the time of the service')
      const seconds = Math.round(clockOffsetMs / 1000)
      const seen =
        seconds === 0 ? 'no difference' : `the service is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine`
      return Math.abs(clockOffsetMs) > MAX_OFFSET_MS ? fail(seen) : pass(seen)
    },
  },
  {
    id: 'login-members',
    topic,
    title: 'The login reply has every member, status and store among them',
    section: 'Resources: login response, PlayerConfig',
    fix: 'Send all members of LoginResponse in openapi.yaml, with these types, bare or as { data, status: "success" }.',
    check: (visit) => (isSuccess(visit.first) ? hold(visit, visit.first, 'POST', '/auth/login') : skipped(REFUSED)),
  },
  {
    id: 'login-token',
    topic,
    title: 'The access token is a JWT',
    section: 'Resources: login response, accessToken',
    fix: 'Issue the access token as a JSON Web Token: three parts of Base64url, joined by dots.',
    check({ first }) {
      const { accessToken } = membersOf(first)
      if (typeof accessToken !== 'string') return skipped('the login reply has no access token')
      return isJwt(accessToken) ? pass('a JWT') : fail('a token of another form')
    },
  },
  {
    id: 'login-token-type',
    topic,
    title: 'The token type is Bearer',
    section: 'Resources: login response, tokenType',
    fix: 'Send "tokenType": "Bearer", in this spelling.',
    check({ first, clean }) {
      const { tokenType } = membersOf(first)
      if (typeof tokenType !== 'string') return skipped('the login reply has no token type')
      return tokenType === 'Bearer' ? pass('Bearer') : fail(clean(tokenType) || 'an empty text')
    },
  },
  {
    id: 'login-lifetime',
    topic,
    title: 'expiresIn is the lifetime of the access token in seconds',
    section: 'Resources: login response, expiresIn; Limits',
    fix: 'Send the seconds (not milliseconds) for which the token is valid: the same as exp - iat of the token.',
    check({ first }) {
      const { expiresIn, accessToken } = membersOf(first)
      if (typeof expiresIn !== 'number') return skipped('the login reply has no expiresIn')
      if (!(expiresIn > 0)) return fail('expiresIn is not above 0')
      const { lifetimeMs } = typeof accessToken === 'string' ? readTokenTimes(accessToken) : {}
      if (lifetimeMs === undefined) return pass(`${expiresIn} s; the token itself does not tell`)
      const seen = `expiresIn is ${expiresIn} s, the token lives ${lifetimeMs / 1000} s`
      return Math.abs(lifetimeMs / 1000 - expiresIn) > LIFETIME_TOLERANCE_S ? fail(seen) : pass(seen)
    },
  },
  {
    id: 'login-device',
    topic,
    title: 'The login reply repeats the device id',
    section: 'Resources: login response, deviceId',
    fix: 'Send back the deviceId of the request, unchanged.',
    check({ first, options }) {
      const { deviceId } = membersOf(first)
      if (typeof deviceId !== 'string') return skipped('the login reply has no device id')
      return deviceId === options.deviceId ? pass('the same') : fail('another device id')
    },
  },
  {
    id: 'login-needs',
    topic,
    title: 'A login without one of its four members is refused',
    section: 'Resources: login request',
    fix: 'Refuse a login in which apiKey, deviceId, timestamp or signature is missing, with 400 or 401.',
    async check({ first, login, describe }) {
      if (!isSuccess(first)) return skipped(REFUSED)
      const wrong: string[] = []
      for (const without of ['apiKey', 'deviceId', 'timestamp', 'signature']) {
        const reply = await login({ without })
        if (!isRefusal(reply)) wrong.push(`without ${without}: ${describe(reply)}`)
      }
      return wrong.length > 0 ? fail(wrong.join('; ')) : pass('all four are refused')
    },
  },
  {
    id: 'signature-wrong',
    topic,
    title: 'A login with a wrong signature is refused with 401',
    section: 'Authentication, signature rule 6; Errors',
    fix: 'Compare the signature of every login with your own, in constant time, and answer 401 where it differs.',
    async check({ first, forgedLogin, describe }) {
      if (!isSuccess(first)) return skipped(REFUSED)
      const reply = await forgedLogin()
      return reply.status === 401 ? pass(describe(reply)) : fail(describe(reply))
    },
  },
  {
    id: 'error-401',
    topic,
    title: 'A login refused with 401 says so in one of the two error forms',
    section: 'Errors: 401; General response format',
    fix: 'Send { "error": "text" } or { "error": { "code", "message" }, "status": "error" }, as application/json.',
    async check(visit) {
      if (!isSuccess(visit.first)) return skipped(REFUSED)
      const reply = await visit.forgedLogin()
      return reply.status === 401 ? hold(visit, reply, 'POST', '/auth/login') : skipped('no login was refused with 401')
    },
  },
]

/** Holds a reply against the contract, whose validator names places and rules and never a value. The status of a success is not specified, so any stands for the 200 of the contract. */
export function hold({ operation, describe }: Visit, reply: Reply, method: string, path: string) {
  const status = isSuccess(reply) ? 200 : reply.status
  const problems = operation(method, path).reply({ ...reply, status })
  return problems.length === 0 ? pass(describe(reply)) : fail(problems.map(({ message }) => message).join('; '))
}

function membersOf(reply: Reply): Record<string, unknown> {
  const value = bareValue(reply)
  return isSuccess(reply) && isObject(value) ? value : {}
}

function isJwt(token: string): boolean {
  const parts = token.split('.')
  return parts.length === 3 && parts.slice(0, 2).every((part) => isObject(parse(Buffer.from(part, 'base64url').toString('utf8'))))
}
