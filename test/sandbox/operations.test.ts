// The journey by hand, as the interface specification says, and every wrong step with its stated error.

import { describe, expect, it } from 'vitest'
import { createValidator } from '../../src/contract/validator.ts'
import { event, type Login, loginBody, start } from './client.ts'

const CREDENTIALS = 'Invalid authentication credentials'
const WINDOW = 'Request timestamp is outside the acceptable time window'
const MINUTE_MS = 60_000

describe('the journey', () => {
  it('login, status, store, events, refresh', async () => {
    const { sandbox, login, status, store, send, refresh } = await start()
    const session = await login()
    expect(session).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600, deviceId: 'device-1' })
    expect(await (await status(session)).json()).toEqual(session.playerConfig.playerStatus)
    expect(await (await store(session)).json()).toEqual(session.playerConfig.storeConfig)

    const sent = await send(session, [event('a'), event('b', 'Level_Complete')])
    expect(sent.status).toBe(202)
    expect(await sent.text()).toBe('')
    expect(sandbox.events().map(({ player, sequence, event: { payload } }) => [player, sequence, payload.adId])).toEqual([
      [session.userId, 1, 'a'],
      [session.userId, 2, 'b'],
    ])

    const refreshed = (await (await refresh(session.refreshToken)).json()) as Login
    expect(Object.keys(refreshed)).toEqual(['accessToken', 'refreshToken', 'tokenType', 'expiresIn'])
    expect(refreshed.accessToken).not.toBe(session.accessToken)
    expect((await status({ ...session, ...refreshed })).status).toBe(200)
    expect(sandbox.breaches()).toEqual([])
  })

  it.each(['bare', 'wrapped'] as const)('in the form %s, held against the contract', async (reply) => {
    const { sandbox, login, status, store, send, refresh } = await start({ reply })
    const session = await login()
    const replies = [await status(session), await store(session), await refresh(session.refreshToken), await send(session, [event('a')])]
    const bodies = await Promise.all(replies.map((each) => each.text()))
    for (const body of bodies.slice(0, 3)) {
      if (reply === 'wrapped') expect(JSON.parse(body)).toMatchObject({ data: expect.anything(), status: 'success' })
      else expect(JSON.parse(body)).not.toHaveProperty('data')
    }
    expect(bodies[3]).toBe(reply === 'wrapped' ? '{"data":null,"status":"success"}' : '')
    const own = createValidator().find('GET', '/v1/player/status')
    expect(own?.reply({ status: 200, headers: { 'content-type': 'application/json' }, body: bodies[0] ?? '' })).toEqual([])
    expect(sandbox.breaches()).toEqual([])
  })

  it.each([200, 201, 202, 204] as const)('events are accepted with %i where told so', async (eventsStatus) => {
    const { login, send } = await start({ eventsStatus, reply: 'wrapped' })
    const reply = await send(await login(), [event('a')])
    expect(reply.status).toBe(eventsStatus)
    expect((await reply.text()) === '').toBe(eventsStatus === 204)
  })
})

describe('login', () => {
  it.each([
    ['another secret', loginBody({ secret: 'wrong' })],
    ['another key', loginBody({ apiKey: 'wrong' })],
    ['a signature that is no Base64', { ...loginBody(), signature: '%%%' }],
    ['an empty signature', { ...loginBody(), signature: '' }],
    ['a signature without its padding', { ...loginBody(), signature: loginBody().signature.replace(/=+$/, '') }],
    ['the signature of another device', { ...loginBody(), deviceId: 'device-2' }],
    ['another secret and an old timestamp: the signature counts first', loginBody({ secret: 'wrong', at: 0 })],
  ])('with %s gets 401', async (_, body) => {
    const { post, sandbox } = await start()
    const reply = await post('/auth/login', body)
    expect([reply.status, await reply.json()]).toEqual([401, { error: CREDENTIALS }])
    expect(sandbox.stats().operations.authLogin).toEqual({ requests: 1, succeeded: 0 })
  })

  it.each([
    [-5 * MINUTE_MS - 2000, 400],
    [-5 * MINUTE_MS + 5000, 200],
    [5 * MINUTE_MS - 5000, 200],
    [5 * MINUTE_MS + 5000, 400],
  ])('%i ms off gets %i', async (offset, status) => {
    const { post } = await start()
    const reply = await post('/auth/login', loginBody({ at: Date.now() + offset }))
    expect(reply.status).toBe(status)
    if (status === 400) expect(await reply.json()).toEqual({ error: WINDOW })
  })

  it('in a month that does not exist gets 400', async () => {
    const { post } = await start()
    const reply = await post('/auth/login', loginBody({ timestamp: '2026-13-01T00:00:00Z' }))
    expect([reply.status, await reply.json()]).toEqual([400, { error: WINDOW }])
  })

  it('that breaks the contract gets 400 and hears where', async () => {
    const { post } = await start()
    const reply = await post('/auth/login', { ...loginBody(), timestamp: '2026-03-01T12:00:00.000Z' })
    expect(reply.status).toBe(400)
    expect(((await reply.json()) as { error: string }).error).toMatch(/^Bad request: [/]timestamp must match pattern/)
  })

  it('signs what is not ASCII as UTF-8', async () => {
    const { login } = await start({ apiKey: 'clé', secret: 'sécret' })
    expect((await login({ apiKey: 'clé', secret: 'sécret', deviceId: 'дракон-🐉|1' })).deviceId).toBe('дракон-🐉|1')
  })
})

describe('data endpoints', () => {
  it('without a valid bearer get 401, before anything else is looked at', async () => {
    const { get, post, login, headersOf } = await start()
    const session = await login()
    const [head, payload] = session.accessToken.split('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    for (const authorization of [
      '',
      'Bearer',
      'Bearer x',
      `Basic ${session.accessToken}`,
      `Bearer ${head}.${payload}.AAAA`,
      `Bearer ${none}`,
    ]) {
      const reply = await get('/v1/player/status', { ...headersOf(session), authorization })
      expect([reply.status, await reply.json()]).toEqual([401, { error: CREDENTIALS }])
    }
    expect((await post('/v1/events', 'not json')).status).toBe(401)
  })

  it('without a header get 400, with one of somebody else 403, and say which', async () => {
    const { get, login, headersOf } = await start()
    const session = await login()
    for (const name of ['X-Tenant-ID', 'X-Game-Id', 'X-Player-Id']) {
      const { [name.toLowerCase()]: _, ...others } = headersOf(session) as Record<string, string>
      const missing = await get('/v1/player/status', others)
      expect([missing.status, await missing.json()]).toEqual([400, { error: `Bad request: header ${name} is missing` }])
      const foreign = await get('/v1/player/store_configs', { ...others, [name]: 'other' })
      expect([foreign.status, await foreign.json()]).toEqual([403, { error: `Header ${name} does not belong to this access token` }])
    }
  })

  it('refuse a batch of events as a whole', async () => {
    const { sandbox, login, send } = await start()
    const session = await login()
    const reply = await send(session, [event('a'), { ...event('b'), timestamp: 'yesterday' }])
    expect(reply.status).toBe(400)
    expect(((await reply.json()) as { error: string }).error).toMatch(/[/]1[/]timestamp must match pattern/)
    expect(sandbox.events()).toEqual([])
  })
})

describe('errors', () => {
  it.each([
    [loginBody({ secret: 'wrong' }), 401, 'UNAUTHORIZED', CREDENTIALS],
    [loginBody({ at: 0 }), 400, 'TIMESTAMP_OUT_OF_RANGE', WINDOW],
  ])('as objects', async (body, status, code, message) => {
    const { post } = await start({ errors: 'object' })
    const reply = await post('/auth/login', body)
    expect([reply.status, await reply.json()]).toEqual([status, { error: { code, message }, status: 'error' }])
  })
})

describe('duplicates', () => {
  it('are counted per player, by the text of the event', async () => {
    const { sandbox, login, send } = await start()
    const one = await login({ deviceId: 'one' })
    const two = await login({ deviceId: 'two' })
    await send(one, [event('a'), event('b')])
    await send(one, [event('a'), event('c'), event('c')])
    await send(two, [event('a')])
    expect(sandbox.stats()).toMatchObject({
      received: 6,
      distinct: 4,
      duplicates: 2,
      players: { [one.userId]: { received: 5, distinct: 3, duplicates: 2 }, [two.userId]: { received: 1, distinct: 1, duplicates: 0 } },
    })
    expect(sandbox.events({ player: one.userId }).map(({ copy }) => copy)).toEqual([1, 1, 2, 1, 2])
  })
})
