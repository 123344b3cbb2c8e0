// What the specification leaves open, and how this service does it. Nothing here can fail: whoever writes a client for this one service may
// want to know; whoever relies on it leaves the contract.

import { isObject } from '../../reply.ts'
import { type Statement, skipped, unspecified } from './finding.ts'
import { lackingRefreshToken, refreshWorks } from './token.ts'
import type { DataPath, Visit } from './visit.ts'
import { bareValue, isSuccess, isWrapped, type Reply } from './wire.ts'

const topic = 'Left open'
const REFUSED = 'the login was refused'
const MAX_NAMES = 12

export const openStatements: Statement[] = [
  open('open-reply-form', 'Whether replies are bare or wrapped', 'General response format', ({ wire }) => {
    const forms = groupBy(
      wire.replies.filter((reply) => isSuccess(reply) && isObject(reply.value)),
      (reply) => (isWrapped(reply) ? 'wrapped' : 'bare'),
    )
    return forms || skipped('there was no success to look at')
  }),
  open('open-error-form', 'Whether errors are text or an object', 'General response format; Errors', ({ wire }) => {
    const errors = wire.replies.filter(({ status, request }) => status >= 400 && request.method !== 'OPTIONS')
    return groupBy(errors, errorForm) || skipped('there was no error to look at')
  }),
  open('open-error-code', 'The values of error.code', 'Errors', ({ wire, clean }) => {
    const codes = wire.replies.flatMap(({ value }) => (isObject(value) && isObject(value.error) ? [codeOf(value.error.code)] : []))
    return codes.length > 0 ? [...new Set(codes)].slice(0, MAX_NAMES).map(clean).join(', ') : 'none was seen'
  }),
  open('open-success-status', 'The status of a success', 'Endpoints', ({ wire }) => {
    return (
      groupBy(
        wire.replies.filter((reply) => isSuccess(reply) && reply.request.method !== 'OPTIONS'),
        ({ status }) => String(status),
      ) || skipped(REFUSED)
    )
  }),
  open('open-events-reply', 'The status and the body of an accepted batch', 'Endpoints: POST /v1/events', async (visit) => {
    const reason = await obstacle(visit, '/v1/events')
    if (reason) return skipped(reason)
    const reply = await visit.plain('/v1/events')
    return `${reply.status}, ${bodyOf(reply, visit)}`
  }),
  open('open-event-types', 'Whether an event of a kind of its own is taken', 'Resources: Event, unknowns', async (visit) => {
    const reason = await obstacle(visit, '/v1/events')
    if (reason) return skipped(reason)
    const reply = await visit.send([visit.event('Contract_Check')])
    return `Contract_Check: ${visit.describe(reply)}`
  }),
  open('open-content-type', 'Whether Content-Type can be left out', 'Endpoints', async (visit) => {
    const reason = (await obstacle(visit, '/v1/player/status')) ?? (await obstacle(visit, '/v1/events'))
    if (reason) return skipped(reason)
    const change = { without: 'content-type' }
    const status = await visit.get('/v1/player/status', change)
    const events = await visit.send([visit.event('Ad_Impression')], change)
    return `/v1/player/status ${visit.describe(status)}; /v1/events ${visit.describe(events)}`
  }),
  open('open-foreign-player', 'The X-Player-Id of somebody else', 'Endpoints: GET /v1/player/status', async (visit) => {
    const reason = await obstacle(visit, '/v1/player/status')
    if (reason) return skipped(reason)
    const reply = await visit.get('/v1/player/status', { playerId: 'contract-check-other' })
    return isSuccess(reply) ? `${reply.status}: the token does not tie the player` : visit.describe(reply)
  }),
  open('open-refresh-reply', 'The shape of a refresh reply', 'Endpoints: POST /auth/refresh', async (visit) => {
    if (!(await refreshWorks(visit))) return skipped('the refresh did not work')
    return bodyOf(await visit.refreshed(), visit)
  }),
  open('open-refresh-rotation', 'Whether a refresh token works once', 'Endpoints: POST /auth/refresh', async (visit) => {
    if (!(await refreshWorks(visit))) return skipped((await lackingRefreshToken(visit)) ?? 'the refresh did not work')
    const value = bareValue(await visit.refreshed())
    const fresh = isObject(value) ? value.refreshToken : undefined
    const old = sentToken(await visit.refreshed())
    const again = await visit.refresh(old)
    const handed =
      typeof fresh !== 'string' ? 'no new one is handed out' : fresh === old ? 'the same one is handed out' : 'a new one is handed out'
    return `${handed}; the used one ${isSuccess(again) ? 'still works' : `gets ${visit.describe(again)}`}`
  }),
  open('open-logout', 'Logout', 'Endpoints: Logout', () => 'not called: its method and path are not specified'),
]

function open(id: string, title: string, section: string, look: (visit: Visit) => Promise<Seen> | Seen): Statement {
  return {
    id,
    topic,
    title,
    section,
    fix: '',
    async check(visit) {
      const seen = await look(visit)
      return typeof seen === 'string' ? unspecified(seen) : seen
    },
  }
}

type Seen = string | ReturnType<typeof skipped>

async function obstacle(visit: Visit, path: DataPath): Promise<string | undefined> {
  return (await visit.lacking(path)) ?? ((await visit.works(path)) ? undefined : `${path} does not work`)
}

/** The paths by what each did, such as `bare: /auth/login, /auth/refresh`. */
function groupBy(replies: Reply[], kindOf: (reply: Reply) => string): string {
  const kinds = new Map<string, Set<string>>()
  for (const reply of replies) {
    const kind = kindOf(reply)
    kinds.set(kind, (kinds.get(kind) ?? new Set()).add(reply.request.path))
  }
  const [only] = kinds.size === 1 ? kinds.keys() : []
  return only ?? [...kinds].map(([kind, paths]) => `${kind}: ${[...paths].join(', ')}`).join('; ')
}

/** A value is shown where it is short in any case; else its type. */
const codeOf = (code: unknown) => (['string', 'number', 'boolean'].includes(typeof code) ? JSON.stringify(code) : typeof code)

function errorForm({ value }: Reply): string {
  if (!isObject(value)) return 'neither'
  return typeof value.error === 'string' ? 'text' : isObject(value.error) && value.status === 'error' ? 'object' : 'neither'
}

/** What a body is, by the names of its members and never by their values. */
function bodyOf(reply: Reply, { clean }: Visit): string {
  if (reply.body === '') return 'no body'
  const value = bareValue(reply)
  const form = isWrapped(reply) ? 'wrapped, ' : ''
  if (reply.value === undefined) return 'a body that is no JSON'
  if (!isObject(value)) return `${form}${value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`}`
  const names = Object.keys(value)
  const shown = names.slice(0, MAX_NAMES).map((name) => clean(name.slice(0, 40)))
  return `${form}an object with ${names.length === 0 ? 'no members' : `${shown.join(', ')}${names.length > MAX_NAMES ? ' and more' : ''}`}`
}

const sentToken = ({ request }: Reply) => (request.body as { refreshToken: string }).refreshToken
