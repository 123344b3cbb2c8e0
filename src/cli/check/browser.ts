// What games in browsers need of the service. The specification does not speak of it: a browser goes by the Fetch standard, and so do these.

import { isWebPage } from '../../reply.ts'
import { fail, pass, type Statement, skipped } from './finding.ts'
import type { Visit } from './visit.ts'
import { isSuccess, type Reply } from './wire.ts'

const topic = 'Browsers'
const SECTION = 'not in the specification: the Fetch standard'
const LEFT_OUT = 'left out by --no-cors'
const EXPOSED = ['date', 'retry-after']

const json = ['content-type']
const tenant = ['authorization', 'content-type', 'x-tenant-id']
const player = ['authorization', 'content-type', 'x-game-id', 'x-player-id', 'x-tenant-id']
/** What a browser asks before each of the requests. */
const PREFLIGHTS: [method: string, path: string, headers: string[]][] = [
  ['POST', '/auth/login', json],
  ['POST', '/auth/refresh', json],
  ['GET', '/v1/player/status', player],
  ['GET', '/v1/player/store_configs', player],
  ['POST', '/v1/events', tenant],
]

export const browserStatements: Statement[] = [
  {
    id: 'cors-preflight',
    topic,
    title: 'A preflight lets a page send each of the five requests',
    section: SECTION,
    fix: 'Answer OPTIONS with 204, Access-Control-Allow-Origin, and Access-Control-Allow-Headers: Authorization, Content-Type, X-Tenant-ID, X-Game-Id, X-Player-Id, without asking for a token. Pass --origin where only certain pages are let in.',
    async check(visit) {
      if (visit.options.origin === undefined) return skipped(LEFT_OUT)
      const wrong: string[] = []
      for (const [method, path, headers] of PREFLIGHTS) {
        const asks = { 'access-control-request-method': method, 'access-control-request-headers': headers.join(',') }
        const objection = objectionOf(await visit.wire.send({ method: 'OPTIONS', path, headers: asks }), visit, headers)
        if (objection) wrong.push(`${path}: ${objection}`)
      }
      return wrong.length > 0 ? fail(wrong.join('; ')) : pass('all five')
    },
  },
  {
    id: 'cors-replies',
    topic,
    title: 'A page may read the replies',
    section: SECTION,
    fix: 'Send Access-Control-Allow-Origin with every reply, not with preflights alone.',
    check: (visit) => closedOf(visit, isSuccess, 'there was no success to look at'),
  },
  {
    id: 'cors-errors',
    topic,
    title: 'A page may read the errors',
    section: SECTION,
    fix: 'Send Access-Control-Allow-Origin with errors too: else a page sees a broken network where the service says 401.',
    check: (visit) => closedOf(visit, ({ status }) => status >= 400, 'there was no error to look at'),
  },
  {
    id: 'cors-exposed',
    topic,
    title: 'A page may read the headers Date and Retry-After',
    section: SECTION,
    fix: 'Send Access-Control-Expose-Headers: Date, Retry-After, so that a game can correct a wrong clock and wait as long as the service asks.',
    check(visit) {
      if (visit.options.origin === undefined) return skipped(LEFT_OUT)
      const open = repliesOf(visit).filter((reply) => allowsOrigin(reply, visit))
      if (open.length === 0) return skipped('a page may read no reply')
      const hidden = new Set<string>()
      for (const { headers } of open) {
        const exposed = listOf(headers['access-control-expose-headers'])
        for (const name of EXPOSED) if (!exposed.includes(name) && !exposed.includes('*')) hidden.add(name)
      }
      return hidden.size > 0 ? fail(`not exposed: ${[...hidden].join(', ')}`) : pass(EXPOSED.join(', '))
    },
  },
]

/** What a browser would object to. GET and POST need no permission of their own. */
function objectionOf(reply: Reply, visit: Visit, wanted: string[]): string | undefined {
  if (reply.status < 200 || reply.status >= 300) return visit.describe(reply)
  if (!allowsOrigin(reply, visit)) return 'the origin is not allowed'
  const allowed = listOf(reply.headers['access-control-allow-headers'])
  // The asterisk does not cover Authorization.
  const missing = wanted.filter((name) => !allowed.includes(name) && (name === 'authorization' || !allowed.includes('*')))
  return missing.length > 0 ? `not allowed: ${missing.join(', ')}` : undefined
}

function closedOf(visit: Visit, isMeant: (reply: Reply) => boolean, none: string) {
  if (visit.options.origin === undefined) return skipped(LEFT_OUT)
  const meant = repliesOf(visit).filter(isMeant)
  if (meant.length === 0) return skipped(none)
  const closed = meant.filter((reply) => !allowsOrigin(reply, visit))
  const places = new Set(closed.map(({ request, status }) => `${request.path} ${status}`))
  return places.size > 0 ? fail(`the origin is not allowed: ${[...places].join(', ')}`) : pass(`${meant.length} looked at`)
}

/** What came from the service itself, and not from something in front of it. */
function repliesOf({ wire }: Visit): Reply[] {
  return wire.replies.filter((reply) => reply.request.method !== 'OPTIONS' && !isWebPage(reply))
}

function allowsOrigin({ headers }: Reply, { options }: Visit): boolean {
  const allowed = headers['access-control-allow-origin']
  return allowed === '*' || allowed === options.origin
}

const listOf = (header = '') => header.split(',').map((name) => name.trim().toLowerCase())
