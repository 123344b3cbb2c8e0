import { describe, expect, it, vi } from 'vitest'
import type { Fault } from '../../src/sandbox/index.ts'
import { event, type Login, start } from './client.ts'

describe('latency', () => {
  it('delays, and adds up with others', async () => {
    const { sandbox, login, status } = await start()
    const session = await login()
    sandbox.addFault({ kind: 'latency', ms: 60 })
    sandbox.addFault({ kind: 'latency', ms: 60, path: '/v1' })
    const startedAt = performance.now()
    expect((await status(session)).status).toBe(200)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(115)
    expect(sandbox.requests().at(-1)).toMatchObject({ faults: ['latency', 'latency'], status: 200 })
  })
})

describe('drop', () => {
  it('before: nothing was stored; after, or midway: everything was', async () => {
    const { sandbox, login, send } = await start()
    const session = await login()
    for (const [when, stored] of [
      ['before', 0],
      ['after', 1],
      ['midway', 2],
    ] as const) {
      sandbox.addFault({ kind: 'drop', when, times: 1 })
      const sending = send(session, [event(when)]).then((reply) => reply.text())
      await expect(sending, when).rejects.toThrow()
      expect(sandbox.events(), when).toHaveLength(stored)
    }
    expect(
      sandbox
        .requests()
        .slice(-3)
        .map(({ status, events }) => [status, events]),
    ).toEqual([
      [0, undefined],
      [0, 1],
      [202, 1],
    ])
    expect((await send(session, [event('x')])).status).toBe(202)
  })

  it('after a refresh: the old token is used up', async () => {
    const { sandbox, login, refresh } = await start()
    const { refreshToken } = await login()
    sandbox.addFault({ kind: 'drop', when: 'after', path: '/auth/refresh', times: 1 })
    await expect(refresh(refreshToken)).rejects.toThrow()
    expect((await refresh(refreshToken)).status).toBe(401)
  })

  it('before a refresh: the token is still good', async () => {
    const { sandbox, login, refresh } = await start()
    const { refreshToken } = await login()
    sandbox.addFault({ kind: 'drop', when: 'before', path: '/auth/refresh', times: 1 })
    await expect(refresh(refreshToken)).rejects.toThrow()
    expect((await refresh(refreshToken)).status).toBe(200)
  })
})

describe('hang', () => {
  it.each(['before', 'after'] as const)('%s: holds the reply until it is removed', async (when) => {
    const { sandbox, login, send } = await start()
    const session = await login()
    const remove = sandbox.addFault({ kind: 'hang', when, times: 1 })
    let answered = false
    const sending = send(session, [event('a')]).finally(() => {
      answered = true
    })
    await vi.waitFor(() => expect(sandbox.faults()).toMatchObject([{ applied: 1 }]))
    expect((await send(session, [event('b')])).status).toBe(202)
    await vi.waitFor(() => expect(sandbox.events()).toHaveLength(when === 'before' ? 1 : 2))
    expect(answered).toBe(false)
    remove()
    expect((await sending).status).toBe(202)
    expect(sandbox.events()).toHaveLength(2)
  })

  it('before: a client that gave up has sent nothing', async () => {
    const { sandbox, login, headersOf } = await start()
    const session = await login()
    const remove = sandbox.addFault({ kind: 'hang', when: 'before' })
    const abort = new AbortController()
    const options = { method: 'POST', headers: headersOf(session), body: JSON.stringify([event('a')]), signal: abort.signal }
    const sending = fetch(`${sandbox.url}/v1/events`, options)
    await vi.waitFor(() => expect(sandbox.faults()).toMatchObject([{ applied: 1 }]))
    abort.abort()
    await expect(sending).rejects.toThrow()
    await new Promise((resolve) => setTimeout(resolve, 30)) // The server hears of it a moment later.
    remove()
    await vi.waitFor(() => expect(sandbox.requests()).toHaveLength(2))
    expect(sandbox.events()).toEqual([])
  })

  it('ends by itself after forMs', async () => {
    const { sandbox, login } = await start()
    sandbox.addFault({ kind: 'hang', when: 'before', forMs: 50 })
    const startedAt = performance.now()
    await login()
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(45)
    expect(sandbox.faults()).toEqual([])
  })
})

describe('status', () => {
  it('with headers, n times, on a path; browsers can read Retry-After', async () => {
    const { sandbox, login, send, status } = await start({ errors: 'object' })
    const session = await login()
    sandbox.addFault({ kind: 'status', status: 429, headers: { 'Retry-After': '7' }, path: '/v1/events', times: 2 })
    expect((await status(session)).status).toBe(200)
    for (let round = 0; round < 2; round++) {
      const reply = await send(session, [event('a')])
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '7'])
      expect(reply.headers.get('access-control-allow-origin')).toBe('*')
      expect(reply.headers.get('access-control-expose-headers')).toContain('Retry-After')
      expect(await reply.json()).toMatchObject({ error: { code: 'TOO_MANY_REQUESTS' }, status: 'error' })
    }
    expect((await send(session, [event('a')])).status).toBe(202)
    expect(sandbox.stats().received).toBe(1)
  })

  it('after: stored, and answered with an error all the same', async () => {
    const { sandbox, login, send } = await start()
    const session = await login()
    sandbox.addFault({ kind: 'status', status: 502, when: 'after', body: '<h1>Bad gateway</h1>', contentType: 'text/html' })
    const reply = await send(session, [event('a')])
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([502, 'text/html', '<h1>Bad gateway</h1>'])
    expect(sandbox.events()).toHaveLength(1)
  })

  it('for a duration', async () => {
    const { sandbox, get } = await start()
    sandbox.addFault({ kind: 'status', status: 503, forMs: 60 })
    expect((await get('/v1/player/status')).status).toBe(503)
    await vi.waitFor(async () => expect((await get('/v1/player/status')).status).toBe(401), { interval: 20 })
  })

  it('after the first n', async () => {
    const { sandbox, get } = await start()
    sandbox.addFault({ kind: 'status', status: 503, after: 2, times: 1 })
    const statuses: number[] = []
    for (let round = 0; round < 4; round++) statuses.push((await get('/v1/player/status')).status)
    expect(statuses).toEqual([401, 401, 503, 401])
  })

  it.each<[string, Fault & { kind: 'status' }, string]>([
    ['torn JSON', { kind: 'status', status: 200, body: '{"isPayer":' }, '{"isPayer":'],
    ['nothing', { kind: 'status', status: 200, body: '' }, ''],
    [
      'an error with 200',
      { kind: 'status', status: 200, body: { error: { code: 1, message: 'm' }, status: 'error' } },
      '{"error":{"code":1,"message":"m"},"status":"error"}',
    ],
    ['no content', { kind: 'status', status: 204, body: 'x' }, ''],
  ])('with %s', async (_, fault, body) => {
    const { sandbox, get } = await start()
    sandbox.addFault(fault)
    const reply = await get('/v1/player/status')
    expect([reply.status, await reply.text()]).toEqual([fault.status, body])
  })

  it('as a redirect', async () => {
    const { sandbox } = await start()
    sandbox.addFault({ kind: 'status', status: 307, headers: { Location: 'http://127.0.0.1:9/elsewhere' } })
    const reply = await fetch(`${sandbox.url}/v1/player/status`, { redirect: 'manual' })
    expect([reply.status, reply.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/elsewhere'])
  })
})

describe('too-large', () => {
  it('refuses above so many bytes, and stores nothing', async () => {
    const { sandbox, login, send } = await start()
    const session = await login()
    const size = JSON.stringify([event('a')]).length
    sandbox.addFault({ kind: 'too-large', bytes: size, path: '/v1/events' })
    expect((await send(session, [event('a')])).status).toBe(202)
    const reply = await send(session, [event('b'), event('c')])
    expect([reply.status, await reply.json()]).toEqual([413, { error: `The body is larger than ${size} bytes` }])
    expect(sandbox.stats().received).toBe(1)
  })
})

describe('reject-events', () => {
  it.each<[{ eventType?: string; contains?: string }, number[]]>([
    [{ eventType: 'Poison' }, [400, 202, 400]],
    [{ contains: 'bad-ad' }, [202, 400, 400]],
    [{ eventType: 'Poison', contains: 'bad-ad' }, [202, 202, 400]],
  ])('that match %j', async (match, statuses) => {
    const { sandbox, login, send } = await start()
    const session = await login()
    sandbox.addFault({ kind: 'reject-events', match })
    const batches = [
      [event('a'), event('a', 'Poison')],
      [event('a'), event('bad-ad')],
      [event('a'), event('bad-ad', 'Poison')],
    ]
    for (const [index, batch] of batches.entries()) expect((await send(session, batch)).status).toBe(statuses[index])
    expect(sandbox.stats().received).toBe(2 * statuses.filter((status) => status === 202).length)
  })

  it('with 422, so many times, and only for who is logged in', async () => {
    const { sandbox, login, send } = await start()
    const session = await login()
    sandbox.addFault({ kind: 'reject-events', match: { contains: 'a' }, status: 422, times: 1 })
    expect((await send({ ...session, accessToken: 'x' }, [event('a')])).status).toBe(401)
    expect((await send(session, [event('a')])).status).toBe(422)
    expect((await send(session, [event('a')])).status).toBe(202)
  })
})

describe('portal', () => {
  it('answers 200 with a page, and nothing happens', async () => {
    const { sandbox, login, send } = await start()
    const session = await login()
    const remove = sandbox.addFault({ kind: 'portal' })
    const reply = await send(session, [event('a')])
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await reply.text()).toMatch(/^<!doctype html>/)
    expect(sandbox.stats().received).toBe(0)
    remove()
    expect((await send(session, [event('a')])).status).toBe(202)
  })
})

describe('several faults', () => {
  it('the first that fits wins, and only it is used up', async () => {
    const { sandbox, get } = await start()
    sandbox.addFault({ kind: 'status', status: 500, times: 1, method: 'POST' })
    sandbox.addFault({ kind: 'status', status: 501, times: 1 })
    sandbox.addFault({ kind: 'status', status: 502, times: 1 })
    expect((await get('/v1/player/status')).status).toBe(501)
    expect((await get('/v1/player/status')).status).toBe(502)
    expect((await get('/v1/player/status')).status).toBe(401)
    expect(sandbox.faults()).toMatchObject([{ applied: 0, fault: { status: 500 } }])
  })

  it('a path is met exactly or at a slash', async () => {
    const { sandbox, get } = await start()
    sandbox.addFault({ kind: 'status', status: 500, path: '/v1/player/sta' })
    expect((await get('/v1/player/status')).status).toBe(401)
    sandbox.addFault({ kind: 'status', status: 500, path: '/v1/player' })
    expect((await get('/v1/player/status')).status).toBe(500)
  })

  it('preflights are left alone, unless they are meant', async () => {
    const { sandbox } = await start()
    const preflight = () => fetch(`${sandbox.url}/v1/events`, { method: 'OPTIONS' })
    sandbox.addFault({ kind: 'status', status: 503, times: 1 })
    expect((await preflight()).status).toBe(204)
    sandbox.addFault({ kind: 'status', status: 500, method: 'OPTIONS' })
    expect((await preflight()).status).toBe(500)
    expect(sandbox.faults()).toHaveLength(2)
  })
})

describe('what is not a fault', () => {
  it.each<[unknown, RegExp]>([
    [undefined, /the fault must be object/],
    [{}, /must have required property 'kind'/],
    [{ kind: 'earthquake' }, /kind/],
    [{ kind: 'latency' }, /must have required property 'ms'/],
    [{ kind: 'latency', ms: -1 }, /[/]ms must be >= 0/],
    [{ kind: 'drop', when: 'later' }, /[/]when must be one of "before", "after", "midway"/],
    [{ kind: 'status', status: 99 }, /[/]status must be >= 200/],
    [{ kind: 'status', status: 500, headers: { 'bad name': 'x' } }, /headers/],
    [{ kind: 'status', status: 500, headers: { 'Content-Length': '9' } }, /headers/],
    [{ kind: 'status', status: 500, headers: { a: 'x\r\ny: z' } }, /[/]headers[/]a must match pattern/],
    [{ kind: 'status', status: 500, contentType: 'a\nb' }, /[/]contentType must match pattern/],
    [{ kind: 'reject-events', match: {} }, /[/]match must NOT have fewer than 1 properties/],
    [{ kind: 'portal', tiems: 1 }, /must not have the member 'tiems'/],
    [{ kind: 'portal', path: 'v1' }, /[/]path must match pattern/],
    [{ kind: 'portal', times: 0 }, /[/]times must be >= 1/],
  ])('%j is refused', async (input, message) => {
    const { sandbox } = await start()
    expect(() => sandbox.addFault(input as Fault)).toThrow(message)
    expect(sandbox.faults()).toEqual([])
  })

  it('a fault is a copy: changing the object afterwards changes nothing', async () => {
    const { sandbox, get } = await start()
    const fault = { kind: 'status', status: 503 } satisfies Fault
    sandbox.addFault(fault)
    fault.status = 500
    expect((await get('/v1/player/status')).status).toBe(503)
  })
})

it('a login under a fault is still the same player', async () => {
  const { sandbox, login, post } = await start()
  const before: Login = await login()
  sandbox.addFault({ kind: 'status', status: 503, path: '/auth', times: 1 })
  expect((await post('/auth/login', {})).status).toBe(503)
  expect((await login()).userId).toBe(before.userId)
})
