import { describe, expect, it } from 'vitest'
import type { PlayerDataOptions } from '../src/options.ts'
import { createPlayer } from '../src/player.ts'
import { developmentSigner } from '../src/signer.ts'
import { fakePlatform, json } from './fake.ts'
import { loginResponse } from './login.ts'

const options: PlayerDataOptions = {
  baseUrl: 'https://api.example.com/',
  apiKey: 'dev-key',
  signer: developmentSigner({ secret: 'dev-secret' }),
  deviceId: '8f14e45f-ceea-467f-9f0b-2d3a5c1e7b60',
}

describe('login', () => {
  it('sends the signed request of the contract’s example, and no bearer', async () => {
    const platform = fakePlatform()
    platform.answer(json(loginResponse()))
    await createPlayer(options, platform).login()
    expect(platform.requests).toHaveLength(1)
    expect(platform.requests[0]).toMatchObject({
      method: 'POST',
      url: 'https://api.example.com/auth/login',
      headers: { 'content-type': 'application/json' },
      timeoutMs: 30_000,
    })
    expect(Object.keys(platform.requests[0]?.headers ?? {})).not.toContain('authorization')
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      apiKey: 'dev-key',
      deviceId: '8f14e45f-ceea-467f-9f0b-2d3a5c1e7b60',
      timestamp: '2026-03-01T12:00:00Z',
      signature: 'GvR5tljhG9EYPpIgRMUGsAh5F42lxVhZo98OrfVfgsM=',
    })
  })

  it.each([
    ['bare', json(loginResponse())],
    ['wrapped', json({ data: loginResponse(), status: 'success' })],
  ])('gives session, status and store from a %s reply', async (_, reply) => {
    const platform = fakePlatform()
    platform.answer(reply)
    const player = createPlayer(options, platform)
    expect([player.session, player.status, player.store]).toEqual([null, null, null])
    const session = await player.login()
    expect(session).toEqual({
      userId: 'player-1',
      deviceId: options.deviceId,
      gameId: 'game-1',
      tenantId: 'tenant-1',
      expiresAt: platform.now() + 3_600_000,
      offline: false,
    })
    expect(player.session).toBe(session)
    expect(player.status?.isPayer.value).toBe(true)
    expect(player.store?.activeSkus).toEqual([])
  })

  it('is one login when called twice at once', async () => {
    const platform = fakePlatform()
    platform.answer(json(loginResponse()))
    const player = createPlayer(options, platform)
    const [one, two] = await Promise.all([player.login(), player.login()])
    expect(two).toBe(one)
    expect(platform.requests).toHaveLength(1)
  })

  it('can be tried again after a failure', async () => {
    const platform = fakePlatform()
    platform.answer(new TypeError('fetch failed'), json(loginResponse()))
    const player = createPlayer(options, platform)
    await expect(player.login()).rejects.toMatchObject({ code: 'network', message: expect.stringContaining('https://api.example.com') })
    expect((await player.login()).userId).toBe('player-1')
  })

  it('makes a device and keeps it', async () => {
    const platform = fakePlatform()
    const { deviceId: _, ...made } = options
    platform.answer(json(loginResponse()), json(loginResponse()))
    await createPlayer({ ...made, tokens: 'memory' }, platform).login()
    await createPlayer({ ...made, tokens: 'memory' }, platform).login()
    const [first, second] = platform.requests.map(({ body }) => JSON.parse(body ?? '').deviceId)
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(second).toBe(first)
  })

  it.each([
    ['a wrong secret', json({ error: 'Invalid authentication credentials' }, 401), { code: 'auth', status: 401 }],
    [
      'an error in the general form',
      json({ error: { code: 'E7', message: 'no' }, status: 'error' }, 403),
      { code: 'http', serviceCode: 'E7' },
    ],
    ['an error with status 200', json({ error: { code: 'E8', message: 'no' }, status: 'error' }), { code: 'http', serviceCode: 'E8' }],
    ['a captive portal', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }, { code: 'protocol' }],
    ['an empty reply', { status: 200, headers: {}, body: '' }, { code: 'protocol' }],
    ['a reply of another shape', json({ hello: 'world' }), { code: 'protocol' }],
  ])('rejects after %s', async (_, reply, error) => {
    const platform = fakePlatform()
    platform.answer(reply)
    const player = createPlayer(options, platform)
    await expect(player.login()).rejects.toMatchObject(error)
    expect(player.session).toBeNull()
  })
})

describe('data calls', () => {
  it('carry the bearer, the ids and a content type', async () => {
    const platform = fakePlatform()
    const status = { isPayer: { value: false, defaultValue: false, expiredAt: null } }
    platform.answer(json(loginResponse()), json({ data: status, status: 'success' }))
    const player = createPlayer(options, platform)
    await player.login()
    expect(await player.fetchStatus()).toEqual(status)
    expect(player.status).toEqual(status)
    expect(platform.requests[1]).toEqual({
      method: 'GET',
      url: 'https://api.example.com/v1/player/status',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer access-1',
        'x-tenant-id': 'tenant-1',
        'x-game-id': 'game-1',
        'x-player-id': 'player-1',
      },
      timeoutMs: 30_000,
    })
  })

  it('are an auth error before login, without a request', async () => {
    const platform = fakePlatform()
    const player = createPlayer(options, platform)
    await expect(player.fetchStore()).rejects.toMatchObject({ code: 'auth', message: expect.stringContaining('login()') })
    expect(platform.requests).toEqual([])
  })

  it('go through the typed client, too', async () => {
    const platform = fakePlatform()
    platform.answer(json(loginResponse()), { status: 202 }, json({ error: 'gone' }, 410))
    const player = createPlayer(options, platform)
    await player.login()
    const event = { eventType: 'Ad_Impression', timestamp: '2026-03-01T12:00:07.250Z', payload: {}, metadata: {} }
    const sent = await player.api.POST('/v1/events', { body: [event] })
    expect(sent.response.status).toBe(202)
    expect(platform.requests[1]).toMatchObject({
      body: JSON.stringify([event]),
      headers: { authorization: 'Bearer access-1', 'x-tenant-id': 'tenant-1' },
    })
    const { data, error } = await player.api.GET('/v1/player/store_configs')
    expect([data, error]).toEqual([undefined, { error: 'gone' }])
  })

  it('of the typed client cannot take the token to another host', async () => {
    const platform = fakePlatform()
    platform.answer(json(loginResponse()))
    const player = createPlayer(options, platform)
    await player.login()
    const astray = player.api.GET('.evil.example/v1/player/status' as '/v1/player/status')
    await expect(astray).rejects.toMatchObject({ code: 'config' })
    expect(platform.requests).toHaveLength(1)
  })

  it('of the typed client to the auth endpoints carry no bearer', async () => {
    const platform = fakePlatform()
    platform.answer(json(loginResponse()), json({}))
    const player = createPlayer(options, platform)
    await player.login()
    await player.api.POST('/auth/refresh', { body: { refreshToken: 'r' } })
    expect(Object.keys(platform.requests[1]?.headers ?? {})).not.toContain('authorization')
  })
})

describe('a host without storage', () => {
  it('is told once, since nothing outlives the start', async () => {
    const platform = fakePlatform()
    platform.answer(json(loginResponse()))
    const player = createPlayer(options, platform)
    const errors: unknown[] = []
    player.on('error', (error) => errors.push(error))
    player.track('Own')
    await player.login()
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'storage', cause: expect.objectContaining({ message: 'This host has no storage.' }) })
    expect(player.stats().durability).toBe('memory')
    await player.close()
  })
})

describe('options', () => {
  it.each([
    ['baseUrl', { baseUrl: 'api.example.com' }],
    ['baseUrl', { baseUrl: 7 }],
    ['apiKey', { apiKey: '' }],
    ['signer', { signer: 'secret' }],
    ['deviceId', { deviceId: '' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['sessionId', { sessionId: '' }],
    ['tokens', { tokens: 'cookie' }],
    ['consent', { consent: 'maybe' }],
    ['logoutEndpoint', { logoutEndpoint: { method: 'PATCH', path: '/auth/logout' } }],
    ['logoutEndpoint', { logoutEndpoint: { method: 'POST', path: 'auth/logout' } }],
    ['events.onLeave', { events: { onLeave: 'drop' } }],
    ['events.batchEvents', { events: { batchEvents: 0 } }],
    ['events.maxAgeMs', { events: { maxAgeMs: '7 days' } }],
  ])('a wrong %s is a config error that names it', (name, part) => {
    expect(() => createPlayer({ ...options, ...part } as PlayerDataOptions, fakePlatform())).toThrow(
      expect.objectContaining({ code: 'config', message: expect.stringContaining(name) }),
    )
  })
})

describe('for logs and tools', () => {
  it('every request is told when it is over, with nothing secret in it', async () => {
    const platform = fakePlatform()
    platform.answer(json(loginResponse()), json({ isPayer: { value: true } }), new Error('no network'))
    const player = createPlayer(options, platform)
    const told: unknown[] = []
    player.on('request', (news) => told.push(news))
    await player.login()
    await player.fetchStatus()
    await player.fetchStore().catch(() => {})
    expect(told).toEqual([
      { method: 'POST', path: '/auth/login', status: 200, durationMs: 0 },
      { method: 'GET', path: '/v1/player/status', status: 200, durationMs: 0 },
      { method: 'GET', path: '/v1/player/store_configs', status: 0, durationMs: 0 },
    ])
  })

  it('renew() gets new tokens, however young the old ones are', async () => {
    const platform = fakePlatform()
    platform.answer(json(loginResponse()), json({ accessToken: 'second', expiresIn: 3600 }), json({ isPayer: { value: true } }))
    const player = createPlayer(options, platform)
    await player.login()
    expect(await player.renew()).toMatchObject({ userId: 'player-1', offline: false })
    await player.fetchStatus()
    expect(platform.requests.map(({ url }) => url.replace(/.*[.]com/, ''))).toEqual(['/auth/login', '/auth/refresh', '/v1/player/status'])
    expect(platform.requests[2]?.headers.authorization).toBe('Bearer second')
  })

  it('renew() without a session says to log in', async () => {
    await expect(createPlayer(options, fakePlatform()).renew()).rejects.toMatchObject({ code: 'auth' })
  })
})
