// Every statement holds against the sandbox, whatever it is free to do; and against a service that breaks one, that one fails and no other.

import { describe, expect, it } from 'vitest'
import { createReport, type Report } from '../../../src/cli/check/report.ts'
import { statements } from '../../../src/cli/check/statements.ts'
import type { Fault, SandboxOptions } from '../../../src/sandbox/index.ts'
import { loginBody, start } from '../../sandbox/client.ts'
import { type Answer, createProxy, type Known, type Message, type Tamper } from './proxy.ts'

const OPTIONS = { apiKey: 'dev-key', secret: 'dev-secret', deviceId: 'contract-check', origin: 'https://game.example', timeoutMs: 5000 }

interface Broken extends Tamper {
  name: string
  fails: string[]
  sandbox?: SandboxOptions
  faults?: Fault[]
  /** Part of what the failing line must say. */
  seen?: string
  timeoutMs?: number
}

const failed = (report: Report) => report.statements.filter(({ result }) => result === 'fail').map(({ id }) => id)
const lineOf = (report: Report, id: string) => report.statements.find((line) => line.id === id)
const seenOf = (report: Report, id: string) => lineOf(report, id)?.seen

describe('against the sandbox nothing fails', () => {
  const choices: (SandboxOptions & { name: string })[] = [
    { name: 'as it is' },
    { name: 'wrapped', reply: 'wrapped' },
    { name: 'errors as objects', errors: 'object' },
    { name: 'wrapped, errors as objects', reply: 'wrapped', errors: 'object' },
    ...([200, 201, 202, 204] as const).map((eventsStatus) => ({ name: `events answered with ${eventsStatus}`, eventsStatus })),
    { name: 'events answered with 200, wrapped', eventsStatus: 200, reply: 'wrapped' },
    { name: 'refresh tokens that stay', rotateRefresh: false },
    { name: 'tokens for ten days', expiresIn: 900_000 },
    { name: 'a clock half a minute ahead', clockOffsetMs: 30_000 },
  ]
  it.each(choices)('$name', async ({ name: _, ...options }) => {
    const { sandbox } = await start(options)
    const report = await createReport({ ...OPTIONS, baseUrl: sandbox.url })
    expect(failed(report)).toEqual([])
    expect(report.result).toBe('pass')
    expect(report.statements.filter(({ result }) => result === 'skipped').map(({ id }) => id)).toEqual(['token-expired'])
    expect(sandbox.breaches()).toEqual([])
  })

  it('looks at expiry where tokens live short, and logs in again meanwhile', async () => {
    const { sandbox } = await start({ expiresIn: 1 })
    const report = await createReport({ ...OPTIONS, baseUrl: sandbox.url })
    expect(failed(report)).toEqual([])
    expect(lineOf(report, 'token-expired')).toMatchObject({ result: 'pass', seen: expect.stringContaining('401') })
  })

  it('is slow and busy, and still nothing fails', async () => {
    const { sandbox } = await start()
    sandbox.addFault({ kind: 'latency', ms: 20 })
    sandbox.addFault({ kind: 'status', status: 429, headers: { 'Retry-After': '1' }, path: '/v1/events', times: 1 })
    expect(failed(await createReport({ ...OPTIONS, baseUrl: sandbox.url }))).toEqual([])
  })

  it('leaves browsers out where told', async () => {
    const { sandbox } = await start()
    const { origin: _, ...options } = OPTIONS
    const report = await createReport({ ...options, baseUrl: sandbox.url })
    const browsers = report.statements.filter(({ topic }) => topic === 'Browsers')
    expect(browsers.map(({ result }) => result)).toEqual(['skipped', 'skipped', 'skipped', 'skipped'])
    expect(report.result).toBe('pass')
    expect(sandbox.requests().filter(({ method }) => method === 'OPTIONS')).toEqual([])
  })

  it('sends few requests and few events, all marked, for one player', async () => {
    const { sandbox } = await start()
    const report = await createReport({ ...OPTIONS, baseUrl: sandbox.url })
    expect([report.requests, sandbox.stats().requests]).toEqual([38, 38])
    expect([report.events, sandbox.events().length]).toEqual([3, 3])
    for (const { event } of sandbox.events()) expect(event.payload).toMatchObject({ adId: 'contract-check', sessionId: 'contract-check' })
    expect(sandbox.events().map(({ event }) => event.eventType)).toEqual(['Ad_Impression', 'Ad_Impression', 'Contract_Check'])
    expect(new Set(sandbox.events().map(({ player }) => player)).size).toBe(1)
  })
})

describe('what is left open is told', () => {
  it.each<[SandboxOptions, string, string]>([
    [{}, 'open-reply-form', 'bare'],
    [{ reply: 'wrapped' }, 'open-reply-form', 'wrapped'],
    [{}, 'open-error-form', 'text'],
    [{ errors: 'object' }, 'open-error-form', 'object'],
    [{ errors: 'object' }, 'open-error-code', '"UNAUTHORIZED"'],
    [{ eventsStatus: 201 }, 'open-events-reply', '201, no body'],
    [{ eventsStatus: 200, reply: 'wrapped' }, 'open-events-reply', '200, wrapped, null'],
    [{ eventsStatus: 204 }, 'open-success-status', '204: /v1/events'],
    [{}, 'open-event-types', 'Contract_Check: 202'],
    [{}, 'open-content-type', '/v1/player/status 200; /v1/events 415'],
    [{}, 'open-foreign-player', '403'],
    [{}, 'open-refresh-reply', 'an object with accessToken, refreshToken, tokenType, expiresIn'],
    [{ reply: 'wrapped' }, 'open-refresh-reply', 'wrapped, an object with accessToken'],
    [{}, 'open-refresh-rotation', 'a new one is handed out; the used one gets 401'],
    [{ rotateRefresh: false }, 'open-refresh-rotation', 'no new one is handed out; the used one still works'],
    [{}, 'open-logout', 'not called'],
  ])('%j: %s', async (options, id, seen) => {
    const { sandbox } = await start(options)
    const line = lineOf(await createReport({ ...OPTIONS, baseUrl: sandbox.url }), id)
    expect(line).toMatchObject({ result: 'unspecified', seen: expect.stringContaining(seen) })
  })
})

/** Changes the JSON body of the replies to one path, in either form. */
const members =
  (path: string, change: (value: Record<string, unknown>) => void): NonNullable<Tamper['reply']> =>
  (answer, message) => {
    if (message.path !== path || message.method === 'OPTIONS' || answer.status !== 200) return
    const value = JSON.parse(answer.body)
    change(value.data ?? value)
    answer.body = JSON.stringify(value)
  }

const json = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Date, Retry-After' },
  body: JSON.stringify(value),
})

/** Lets a login through as if it had been right. */
const repair =
  (isMeant: (login: Record<string, string>) => boolean): NonNullable<Tamper['request']> =>
  (message) => {
    if (message.path !== '/auth/login' || message.method !== 'POST') return
    if (isMeant(JSON.parse(message.body))) message.body = JSON.stringify(loginBody({ deviceId: 'contract-check' }))
  }

const signatureOf = (login: Record<string, string>) => loginBody({ deviceId: 'contract-check', timestamp: login.timestamp ?? '' }).signature
/** Minutes from now to the timestamp of a whole login with a right signature. */
const minutesOf = (login: Record<string, string>) =>
  login.signature === signatureOf(login) ? (Date.parse(login.timestamp ?? '') - Date.now()) / 60_000 : Number.NaN

const refuseLogin =
  (isMeant: (login: Record<string, string>) => boolean): NonNullable<Tamper['answer']> =>
  ({ path, method, body }) =>
    path === '/auth/login' && method === 'POST' && isMeant(JSON.parse(body)) ? json(400, { error: 'No' }) : undefined

/** Supplies a header that is missing. */
const supply =
  (path: string, name: string, take: (known: Known) => string): NonNullable<Tamper['request']> =>
  (message, known) => {
    if (message.path === path && message.method !== 'OPTIONS') message.headers[name] ??= take(known)
  }

/** Takes a bad bearer token for a good one. */
const trust =
  (isMeant: (token: string, known: Known) => boolean): NonNullable<Tamper['request']> =>
  (message, known) => {
    const token = message.headers.authorization?.slice('Bearer '.length)
    if (token !== undefined && isMeant(token, known)) message.headers.authorization = `Bearer ${known.session.accessToken}`
  }

const withoutCors =
  (isMeant: (answer: Answer, message: Message) => boolean): NonNullable<Tamper['reply']> =>
  (answer, message) => {
    if (isMeant(answer, message)) delete answer.headers['access-control-allow-origin']
  }

const PLAYER = ['/v1/player/status', '/v1/player/store_configs'] as const
const idOf = (path: string) => ({ '/v1/player/status': 'status', '/v1/player/store_configs': 'store', '/v1/events': 'events' })[path]
const headerRows = ([...PLAYER, '/v1/events'] as const).flatMap((path) => [
  { path, id: 'authorization', name: 'authorization', take: ({ session }: Known) => `Bearer ${session.accessToken}` },
  { path, id: 'tenant', name: 'x-tenant-id', take: ({ session }: Known) => session.tenantId ?? '' },
  ...(path === '/v1/events'
    ? []
    : [
        { path, id: 'game', name: 'x-game-id', take: ({ session }: Known) => session.gameId ?? '' },
        { path, id: 'player', name: 'x-player-id', take: ({ session }: Known) => session.userId ?? '' },
      ]),
])

const LOGIN_MEMBERS = [
  ...['accessToken', 'refreshToken', 'tokenType', 'expiresIn', 'userId'],
  ...['deviceId', 'gameId', 'tenantId', 'playerConfig'],
]

const broken: Broken[] = [
  { name: 'refuses every login', fails: ['login'], answer: refuseLogin(() => true) },
  { name: 'has another secret', fails: ['login'], sandbox: { secret: 'another' }, seen: '401' },
  { name: 'has no login', fails: ['login'], faults: [{ kind: 'status', status: 404, path: '/auth/login' }], seen: 'is --base-url right?' },
  { name: 'is down', fails: ['login'], faults: [{ kind: 'status', status: 503, path: '/auth/login' }], seen: '503' },
  {
    name: 'answers the login with a broken body',
    fails: ['login-members'],
    reply: (answer, { path }) => {
      if (path === '/auth/login' && answer.status === 200) answer.body = answer.body.slice(0, 40)
    },
    seen: 'not valid JSON',
  },
  { name: 'is ten minutes ahead', fails: ['clock'], sandbox: { clockOffsetMs: 600_000 }, seen: '600 s ahead of this machine' },
  { name: 'is ten minutes behind', fails: ['clock'], sandbox: { clockOffsetMs: -600_000 }, seen: '600 s behind this machine' },
  {
    name: 'has a wrong Date header, though a right clock',
    fails: ['clock'],
    reply: (answer) => {
      answer.headers.date = new Date(Date.now() + 3_600_000).toUTCString()
    },
    seen: '3600 s ahead',
  },
  ...LOGIN_MEMBERS.map((member) => ({
    name: `sends a login reply without ${member}`,
    fails: ['login-members'],
    reply: members('/auth/login', (value) => delete value[member]),
    seen: member,
  })),
  {
    name: 'sends a wrapped login reply without userId',
    fails: ['login-members'],
    sandbox: { reply: 'wrapped' },
    reply: members('/auth/login', (value) => delete value.userId),
  },
  {
    name: 'sends a price as text in the login reply',
    fails: ['login-members'],
    reply: members('/auth/login', (value) =>
      Object.assign(value.playerConfig as object, { storeConfig: { activeSkus: [{ offerPrice: '1' }] } }),
    ),
    seen: 'offerPrice must be number',
  },
  {
    name: 'issues tokens that are no JWT',
    fails: ['login-token'],
    reply: members('/auth/login', (value) => Object.assign(value, { accessToken: 'opaque-1' })),
    request: (message, known) => {
      if (message.headers.authorization === 'Bearer opaque-1') message.headers.authorization = `Bearer ${[...known.issued].at(-1)}`
    },
  },
  {
    name: 'has another token type',
    fails: ['login-token-type'],
    reply: members('/auth/login', (value) => Object.assign(value, { tokenType: 'MAC' })),
    seen: 'MAC',
  },
  { name: 'issues tokens that live shorter than it says', fails: ['login-lifetime'], sandbox: { tokenLifetime: 900 }, seen: 'lives 900 s' },
  { name: 'states milliseconds', fails: ['login-lifetime'], sandbox: { expiresIn: 900_000, tokenLifetime: 900 }, seen: 'is 900000 s' },
  {
    name: 'states a lifetime of nothing',
    fails: ['login-lifetime'],
    reply: members('/auth/login', (value) => Object.assign(value, { expiresIn: 0 })),
    seen: 'not above 0',
  },
  {
    name: 'answers for another device',
    fails: ['login-device'],
    reply: members('/auth/login', (value) => Object.assign(value, { deviceId: 'x' })),
  },
  ...['apiKey', 'deviceId', 'timestamp', 'signature'].map((member) => ({
    name: `does without ${member} in a login`,
    fails: ['login-needs'],
    request: repair((login) => login[member] === undefined),
    seen: `without ${member}: 200`,
  })),
  {
    name: 'accepts a wrong signature',
    fails: ['signature-wrong'],
    request: repair((login) => Object.keys(login).length === 4 && login.signature !== signatureOf(login)),
    seen: '200',
  },
  {
    name: 'refuses a wrong signature with another status',
    fails: ['signature-wrong'],
    reply: (answer, { path }) => {
      if (path === '/auth/login' && answer.status === 401) answer.status = 403
    },
    seen: '403',
  },
  ...(['401', '400'] as const).map((status) => ({
    name: `refuses a login with ${status} and no body`,
    fails: [`error-${status}`],
    reply: (answer: Answer, { path }: Message) => {
      if (path === '/auth/login' && String(answer.status) === status) answer.body = ''
    },
  })),
  {
    name: 'refuses a login with 401 and a plain text',
    fails: ['error-401'],
    reply: (answer, { path }) => {
      if (path === '/auth/login' && answer.status === 401)
        Object.assign(answer, { body: 'no', headers: { ...answer.headers, 'content-type': 'text/plain' } })
    },
    seen: 'content type',
  },
  {
    name: 'takes no old timestamps',
    fails: ['timestamp-behind'],
    answer: refuseLogin((login) => minutesOf(login) < -4 && minutesOf(login) > -5),
  },
  {
    name: 'takes no new timestamps',
    fails: ['timestamp-ahead'],
    answer: refuseLogin((login) => minutesOf(login) > 4 && minutesOf(login) < 5),
  },
  {
    name: 'takes timestamps that are too old',
    fails: ['timestamp-too-old'],
    request: repair((login) => minutesOf(login) < -5),
    seen: '200',
  },
  {
    name: 'takes timestamps that are too new',
    fails: ['timestamp-too-new'],
    request: repair((login) => minutesOf(login) > 5),
    seen: '200',
  },
  {
    name: 'refuses timestamps with another status',
    fails: ['timestamp-too-old', 'timestamp-too-new'],
    reply: (answer, { path, body }) => {
      if (path === '/auth/login' && answer.status === 400 && Object.keys(JSON.parse(body)).length === 4) answer.status = 401
    },
  },
  ...PLAYER.flatMap((path) => [
    {
      name: `answers ${path} with 503`,
      fails: [idOf(path) ?? ''],
      faults: [{ kind: 'status', status: 503, path }] as Fault[],
      seen: '503',
    },
    {
      name: `has a portal before ${path}`,
      fails: [idOf(path) ?? ''],
      faults: [{ kind: 'portal', path }] as Fault[],
      seen: '200 with a web page',
    },
    { name: `drops ${path}`, fails: [idOf(path) ?? ''], faults: [{ kind: 'drop', when: 'before', path }] as Fault[], seen: 'cut' },
    { name: `is cut at ${path}`, fails: [idOf(path) ?? ''], faults: [{ kind: 'drop', when: 'midway', path }] as Fault[], seen: 'cut' },
    {
      name: `hangs at ${path}`,
      fails: [idOf(path) ?? ''],
      faults: [{ kind: 'hang', when: 'before', path }] as Fault[],
      timeoutMs: 1500,
      seen: 'no reply within 1500 ms',
    },
  ]),
  {
    name: 'sends a status without expiredAt',
    fails: ['status'],
    reply: members('/v1/player/status', (value) => delete (value.isPayer as { expiredAt?: null }).expiredAt),
    seen: 'expiredAt',
  },
  {
    name: 'sends a status inside playerConfig',
    fails: ['status'],
    reply: (answer, { path }) => {
      if (path === '/v1/player/status' && answer.status === 200) answer.body = `{"playerConfig":${answer.body}}`
    },
    seen: 'isPayer',
  },
  {
    name: 'sends a store without lastUpdatedTimestamp',
    fails: ['store'],
    reply: members('/v1/player/store_configs', (value) => delete value.lastUpdatedTimestamp),
    seen: 'lastUpdatedTimestamp',
  },
  ...headerRows.map(({ path, id, name, take }) => ({
    name: `does without ${name} at ${path}`,
    fails: [`${idOf(path)}-needs-${id}`],
    request: supply(path, name, take),
  })),
  { name: 'refuses events', fails: ['events'], faults: [{ kind: 'reject-events', match: { contains: 'contract-check' } }], seen: '400' },
  { name: 'has a portal before the events', fails: ['events'], faults: [{ kind: 'portal', path: '/v1/events' }], seen: 'web page' },
  { name: 'takes small bodies only', fails: ['events'], faults: [{ kind: 'too-large', bytes: 300, path: '/v1/events' }], seen: '413' },
  {
    name: 'answers events with an error in 200',
    fails: ['events'],
    faults: [{ kind: 'status', status: 200, path: '/v1/events', body: { error: { code: 1, message: 'full' }, status: 'error' } }],
    seen: '200: full',
  },
  { name: 'accepts a made-up token', fails: ['token-unknown'], request: trust((token) => !token.includes('.')), seen: '200' },
  {
    name: 'does not verify tokens',
    fails: ['token-changed'],
    request: trust((token, { issued }) => token.includes('.') && !issued.has(token)),
    seen: '200',
  },
  {
    name: 'refuses bad tokens with another status',
    fails: ['token-unknown', 'token-changed'],
    reply: (answer, { headers, path }) => {
      if (path === '/v1/player/status' && headers.authorization && answer.status === 401) answer.status = 403
    },
  },
  {
    name: 'lets tokens live on',
    fails: ['token-expired'],
    sandbox: { expiresIn: 1 },
    async request(message, { issued, login }) {
      const token = message.headers.authorization?.slice('Bearer '.length) ?? ''
      if (issued.has(token)) message.headers.authorization = `Bearer ${(await login()).accessToken}`
    },
    seen: '200',
  },
  { name: 'cannot refresh', fails: ['refresh'], faults: [{ kind: 'status', status: 500, path: '/auth/refresh' }], seen: '500' },
  {
    name: 'refreshes to a token that does not work',
    fails: ['refresh-token'],
    reply: members('/auth/refresh', (value) => Object.assign(value, { accessToken: 'nothing' })),
    seen: '401',
  },
  {
    name: 'refreshes for everyone',
    fails: ['refresh-unknown'],
    answer: (message, { renewals }) => {
      if (message.path !== '/auth/refresh' || message.method !== 'POST') return undefined
      return renewals.has(JSON.parse(message.body).refreshToken) ? undefined : json(200, { accessToken: 'a' })
    },
    seen: '200',
  },
  {
    name: 'answers preflights with 401',
    fails: ['cors-preflight'],
    faults: [{ kind: 'status', status: 401, method: 'OPTIONS' }],
    seen: '401',
  },
  { name: 'allows no origin in preflights', fails: ['cors-preflight'], reply: withoutCors((_, { method }) => method === 'OPTIONS') },
  {
    name: 'does not allow X-Game-Id',
    fails: ['cors-preflight'],
    reply: (answer, { method }) => {
      if (method === 'OPTIONS') answer.headers['access-control-allow-headers'] = 'authorization, content-type, x-tenant-id, x-player-id'
    },
    seen: '/v1/player/status: not allowed: x-game-id',
  },
  {
    name: 'allows all headers by an asterisk, which does not cover Authorization',
    fails: ['cors-preflight'],
    reply: (answer, { method }) => {
      if (method === 'OPTIONS') answer.headers['access-control-allow-headers'] = '*'
    },
    seen: 'not allowed: authorization',
  },
  {
    name: 'allows no origin in replies',
    fails: ['cors-replies'],
    reply: withoutCors(({ status }, { method }) => method !== 'OPTIONS' && status < 300),
  },
  {
    name: 'allows no origin in errors',
    fails: ['cors-errors'],
    reply: withoutCors(({ status }) => status >= 400),
    seen: '/auth/login 401',
  },
  { name: 'does not expose Date', fails: ['cors-exposed'], sandbox: { dateExposed: false }, seen: 'not exposed: date' },
  {
    name: 'exposes nothing',
    fails: ['cors-exposed'],
    reply: ({ headers }) => {
      delete headers['access-control-expose-headers']
    },
    seen: 'date, retry-after',
  },
  {
    name: 'lets in another page alone',
    fails: ['cors-preflight', 'cors-replies', 'cors-errors'],
    reply: ({ headers }) => {
      headers['access-control-allow-origin'] = 'https://other.example'
    },
  },
]

describe('against a service that breaks one thing, that line fails and no other', () => {
  it.each(broken)('a service that $name', async ({ fails, sandbox: options = {}, faults = [], seen, timeoutMs, ...tamper }) => {
    const { sandbox } = await start({ strict: false, ...options })
    for (const fault of faults) sandbox.addFault(fault)
    const isTampered = Object.keys(tamper).some((name) => name !== 'name')
    const baseUrl = isTampered ? await createProxy(sandbox.url, tamper) : sandbox.url
    const report = await createReport({ ...OPTIONS, baseUrl, ...(timeoutMs && { timeoutMs }) })
    expect(failed(report)).toEqual(fails)
    expect(report.result).toBe('fail')
    if (seen !== undefined) expect(seenOf(report, fails[0] ?? '')).toContain(seen)
    for (const line of report.statements) expect(line.seen, line.id).not.toBe('')
  })

  it('has such a service for every statement that can fail', () => {
    const alone = new Set(broken.filter(({ fails }) => fails.length === 1).flatMap(({ fails }) => fails))
    expect([...alone].sort()).toEqual(
      statements
        .filter(({ topic }) => topic !== 'Left open')
        .map(({ id }) => id)
        .sort(),
    )
  })
})

describe('where no service answers', () => {
  it.each<[string, Fault, string]>([
    ['a portal', { kind: 'portal' }, 'A web page answers at '],
    [
      'a website',
      { kind: 'status', status: 404, body: '<html></html>', contentType: 'text/html' },
      'Give the address in front of /auth/login as --base-url',
    ],
    ['a redirect', { kind: 'status', status: 301, headers: { location: '/x' } }, 'sends its callers on to another address (301)'],
    ['dropped connections', { kind: 'drop', when: 'before' }, 'the connection was cut'],
    ['silence', { kind: 'hang', when: 'before' }, 'no reply within 300 ms'],
  ])('%s', async (_, fault, message) => {
    const { sandbox } = await start()
    sandbox.addFault(fault)
    const report = await createReport({ ...OPTIONS, baseUrl: sandbox.url, timeoutMs: 300 })
    expect(report).toMatchObject({ result: 'unreachable', message: expect.stringContaining(message), statements: [], requests: 1 })
  })

  it('stops asking when the service has stopped answering', async () => {
    const { sandbox } = await start()
    sandbox.addFault({ kind: 'drop', when: 'before', after: 6 })
    const report = await createReport({ ...OPTIONS, baseUrl: sandbox.url })
    expect(report.requests).toBeLessThan(12)
    expect(seenOf(report, 'cors-preflight')).toBe('the service has stopped answering')
  })
})

describe('whatever a service sends, the report comes', () => {
  const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)
  const bodies = ['', 'null', '[]', '0', '"text"', '{', '{"data":null,"status":"success"}', '{"status":"error"}', '{"error":{"code":{}}}']
  const big = [
    'x'.repeat(5_000_000),
    deep('[', ']'),
    deep('{"error":', '}').replace('}', '1}'),
    `{"accessToken":${deep('{"a":', '}').replace('}', '1}')}}`,
  ]
  const odd = [
    '{"accessToken":"a\\nb","tenantId":"\\u0000","gameId":7,"userId":"é","expiresIn":-1,"refreshToken":""}',
    '{"accessToken":"a","tenantId":"t","gameId":"g","userId":"u","refreshToken":"r","expiresIn":0.001}',
    '{"accessToken":"a","tenantId":"t","gameId":"g","userId":"u","refreshToken":{"x":1},"expiresIn":1e300,"deviceId":{},"tokenType":[]}',
  ]
  const cases = [...bodies, ...big, ...odd].flatMap((body) => [200, 400, 500].map((status) => ({ status, body, start: body.slice(0, 30) })))

  it.each(cases)('$status $start', async ({ status, body }) => {
    const headers = { 'content-type': 'application/json', date: 'yesterday' }
    const baseUrl = await createProxy('http://127.0.0.1:9', { answer: () => ({ status, headers, body }) })
    const report = await createReport({ ...OPTIONS, baseUrl })
    expect(report.result).not.toBe('pass')
    expect(report.requests).toBeLessThanOrEqual(120)
  })

  it('is not held up by a reply without end', async () => {
    const { sandbox } = await start()
    const url = await createProxy(sandbox.url, { endless: '/v1/player/store_configs' })
    const report = await createReport({ ...OPTIONS, baseUrl: url, timeoutMs: 1500 })
    expect(failed(report)).toEqual(['store'])
    expect(seenOf(report, 'store')).toBe('no reply within 1500 ms')
  })
})

describe('the list', () => {
  it('has ids of one form, each once, and a hint for all that can fail', () => {
    expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length)
    for (const { id, title, section, fix, topic } of statements) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect([title, section].every(Boolean), id).toBe(true)
      expect(fix !== '', id).toBe(topic !== 'Left open')
    }
  })
})
