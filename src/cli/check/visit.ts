// One visit to a service: the requests that the statements share, each made once and when it is first asked for, the time by the service's clock, and a
// session that has not expired.

import { type Clock, createClock } from '../../clock.ts'
import { createValidator, type Operation } from '../../contract/validator.ts'
import { readTokenTimes } from '../../jwt.ts'
import { isObject, isWebPage } from '../../reply.ts'
import { createSignature, formatTimestamp } from '../../signature.ts'
import { createRedaction } from './redaction.ts'
import { bareValue, createWire, isSuccess, NoReply, type Reply, type Wire } from './wire.ts'

export interface VisitOptions {
  baseUrl: string
  apiKey: string
  secret: string
  deviceId: string
  /** Of the page that asks; undefined leaves browsers out. */
  origin?: string
  timeoutMs: number
}

/** What the login reply hands out, as far as it is there. */
export interface Session {
  accessToken?: string
  refreshToken?: string
  tenantId?: string
  gameId?: string
  userId?: string
  expiresIn?: number
  /** Epoch ms, by this machine's clock. */
  receivedAt: number
}

export interface LoginChange {
  /** How far the timestamp is from the service's time. */
  offsetMs?: number
  /** Signs with another secret. */
  secret?: string
  /** Leaves this member out of the body. */
  without?: string
}

export interface DataChange {
  /** Leaves this header out; in lower case. */
  without?: string
  token?: string
  playerId?: string
}

export interface Visit {
  readonly options: VisitOptions
  readonly wire: Wire
  /** How far the service's clock is ahead of this machine's; undefined where no reply told the time. */
  readonly clockOffsetMs: number | undefined
  /** The reply to the first login with a valid signature. */
  readonly first: Reply
  /** Events that the service has taken. */
  readonly eventsTaken: number
  /** The first login. Without it there is nothing to look at: rejects where nobody, or somebody else, answers. */
  arrive(): Promise<void>
  login(change?: LoginChange): Promise<Reply>
  /** The signed login with another secret. */
  forgedLogin(): Promise<Reply>
  session(): Promise<Session>
  /** Undefined where all is there that a request to that path needs, else the reason why it cannot be made. */
  lacking(path: DataPath): Promise<string | undefined>
  get(path: PlayerPath, change?: DataChange): Promise<Reply>
  /** Whether the service answers that path as it should be asked. */
  works(path: DataPath): Promise<boolean>
  /** The reply of that path, asked as it should be. */
  plain(path: DataPath): Promise<Reply>
  send(events: object[], change?: DataChange): Promise<Reply>
  /** The refresh with the session's own token. */
  refreshed(): Promise<Reply>
  refresh(refreshToken: string): Promise<Reply>
  event(eventType: string): object
  operation(method: string, path: string): Operation
  /** A reply in a few words. */
  describe(reply: Reply): string
  clean(text: string): string
}

export type PlayerPath = '/v1/player/status' | '/v1/player/store_configs'
export type DataPath = PlayerPath | '/v1/events'

/** The mark of everything that a check leaves behind in a service. */
export const MARK = 'contract-check'
/** Beyond that a clock is wrong, not just unread. */
export const MAX_OFFSET_MS = 60_000
const TOLERANCE_MS = 5 * 60_000
/** No service needs more; a bound for the case that a token lives so short that each request needs a login. */
const MAX_REQUESTS = 120
const MAX_DEPTH = 6

export function createVisit(options: VisitOptions): Visit {
  const { apiKey, deviceId } = options
  const redaction = createRedaction()
  redaction.hide(options.secret)
  const wire = createWire(options)
  const validator = createValidator()
  const clock: Clock = createClock(Date.now)
  let measuredMs: number | undefined
  let correctionMs = 0
  let first: Reply | undefined
  let session: Session | undefined
  let eventsTaken = 0

  async function send(request: Parameters<Wire['send']>[0]): Promise<Reply> {
    if (wire.requests >= MAX_REQUESTS) throw new NoReply('too many requests were needed', 'Give the access token a longer life')
    const reply = await wire.send(request)
    hideTokens(reply.value)
    return reply
  }

  /** No token lies deep, and a hostile reply may be deeper than the stack. */
  function hideTokens(value: unknown, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    for (const [name, member] of Object.entries(value)) {
      if (/token$/i.test(name)) redaction.hide(member)
      hideTokens(member, depth + 1)
    }
  }

  async function login({ offsetMs = 0, secret = options.secret, without }: LoginChange = {}): Promise<Reply> {
    const request = { apiKey, deviceId, timestamp: formatTimestamp(Date.now() + correctionMs + offsetMs) }
    const signature = await createSignature(secret, request)
    redaction.hide(signature)
    const members = Object.entries({ ...request, signature }).filter(([name]) => name !== without)
    return post('/auth/login', Object.fromEntries(members))
  }

  const post = (path: string, body: unknown) => send({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body })

  function learn({ headers, sentAt, receivedAt, value }: Reply): void {
    const token = (bareOf(value) as { accessToken?: unknown }).accessToken
    const at = headers.date
      ? Date.parse(headers.date)
      : typeof token === 'string'
        ? (readTokenTimes(token).issuedAt ?? Number.NaN)
        : Number.NaN
    clock.learn(at, sentAt, receivedAt)
    if (clock.known) measuredMs = clock.offsetMs()
  }

  async function sessionNow(): Promise<Session> {
    session ??= sessionOf(firstReply())
    const { expiresIn, receivedAt } = session
    if (expiresIn !== undefined && Date.now() - receivedAt > (expiresIn * 1000) / 2) {
      const reply = await login()
      if (isSuccess(reply)) session = sessionOf(reply)
    }
    return session
  }

  function firstReply(): Reply {
    if (!first) throw new Error('The visit has not begun.')
    return first
  }

  async function headersOf(path: DataPath, { without, token, playerId }: DataChange): Promise<Record<string, string>> {
    const { accessToken = '', tenantId = '', gameId = '', userId = '' } = await sessionNow()
    const headers: Record<string, string> = {
      authorization: `Bearer ${token ?? accessToken}`,
      'content-type': 'application/json',
      'x-tenant-id': tenantId,
      ...(path !== '/v1/events' && { 'x-game-id': gameId, 'x-player-id': playerId ?? userId }),
    }
    if (without !== undefined) delete headers[without]
    return headers
  }

  const get = async (path: PlayerPath, change: DataChange = {}) => send({ method: 'GET', path, headers: await headersOf(path, change) })

  async function sendEvents(events: object[], change: DataChange = {}): Promise<Reply> {
    const path = '/v1/events'
    const reply = await send({ method: 'POST', path, headers: await headersOf(path, change), body: events })
    if (isSuccess(reply)) eventsTaken += events.length
    return reply
  }

  function event(eventType: string): object {
    const payload = { userId: session?.userId ?? '', sessionId: MARK, adId: MARK, campaignId: MARK }
    const metadata = { deviceType: MARK, osName: MARK, osVersion: '0' }
    return { eventType, timestamp: new Date(Date.now() + correctionMs).toISOString(), payload, metadata }
  }

  const plainReplies = new Map<DataPath, Promise<Reply>>()
  function plain(path: DataPath): Promise<Reply> {
    const made = plainReplies.get(path)
    if (made) return made
    const reply = path === '/v1/events' ? sendEvents([event('Ad_Impression'), event('Ad_Impression')]) : get(path)
    plainReplies.set(path, reply)
    return reply
  }

  return {
    options,
    wire,
    get clockOffsetMs() {
      return measuredMs
    },
    get first() {
      return firstReply()
    },
    get eventsTaken() {
      return eventsTaken
    },
    async arrive() {
      first = await login()
      learn(first)
      const offsetMs = measuredMs ?? 0
      // A service that takes this machine's time has another clock for its logins than for its Date header.
      if (isSuccess(first) && Math.abs(offsetMs) > TOLERANCE_MS) return
      correctionMs = offsetMs
      if (!isSuccess(first) && Math.abs(offsetMs) > MAX_OFFSET_MS) first = await login()
    },
    login,
    forgedLogin: once(() => login({ secret: `not ${options.secret}` })),
    session: sessionNow,
    async lacking(path) {
      const needed: (keyof Session)[] = ['accessToken', 'tenantId', ...(path === '/v1/events' ? [] : (['gameId', 'userId'] as const))]
      if (!isSuccess(firstReply())) return 'the login was refused'
      const held = await sessionNow()
      const missing = needed.filter((member) => held[member] === undefined)
      return missing.length > 0 ? `the login reply has no ${missing.join(', ')}` : undefined
    },
    get,
    async works(path) {
      try {
        return isSuccess(await plain(path))
      } catch (error) {
        if (error instanceof NoReply) return false
        throw error
      }
    },
    plain,
    send: sendEvents,
    refreshed: once(async () => {
      const { refreshToken = '' } = await sessionNow()
      return post('/auth/refresh', { refreshToken })
    }),
    refresh: (refreshToken) => post('/auth/refresh', { refreshToken }),
    event,
    operation(method, path) {
      const operation = validator.find(method, path)
      if (!operation) throw new Error(`The contract has no ${method} ${path}.`)
      return operation
    },
    describe(reply) {
      const { status, headers, body, value } = reply
      if (isWebPage({ status, headers, body })) return `${status} with a web page`
      const { error } = bareOf(value) as { error?: unknown }
      const said = isObject(error) ? error.message : error
      return typeof said === 'string' ? `${status}: ${redaction.clean(said)}` : String(status)
    },
    clean: redaction.clean,
  }
}

/** An object in any case. */
const bareOf = (value: unknown): Record<string, unknown> => {
  if (!isObject(value)) return {}
  return isObject(value.data) && value.status === 'success' ? value.data : value
}

function sessionOf(reply: Reply): Session {
  const value = bareValue(reply)
  const members = isObject(value) ? value : {}
  const texts = ['accessToken', 'tenantId', 'gameId', 'userId'].filter((name) => isHeaderValue(members[name]))
  const { expiresIn, refreshToken } = members
  return {
    ...Object.fromEntries(texts.map((name) => [name, members[name]])),
    ...(typeof refreshToken === 'string' && refreshToken && { refreshToken }),
    ...(typeof expiresIn === 'number' && expiresIn > 0 && { expiresIn }),
    receivedAt: reply.receivedAt,
  }
}

/** What cannot be sent in a header is no id and no token. */
const isHeaderValue = (value: unknown) => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value)

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}
