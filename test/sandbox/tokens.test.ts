import { describe, expect, it, vi } from 'vitest'
import { type Login, start } from './client.ts'

const HOUR_MS = 3_600_000
const claimsOf = ({ accessToken }: Login) => JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())

describe('access tokens', () => {
  it('are JWTs that say how long they live, and no two are alike', async () => {
    const { login } = await start({ expiresIn: 900_000 })
    const one = await login()
    const two = await login()
    expect(one.expiresIn).toBe(900_000)
    expect(claimsOf(one).exp - claimsOf(one).iat).toBe(900_000)
    expect(claimsOf(one).sub).toBe(one.userId)
    expect(two.accessToken).not.toBe(one.accessToken)
  })

  it('expire by themselves, not before their time', async () => {
    const { login, status } = await start({ expiresIn: 1 })
    const startedAt = performance.now()
    const session = await login()
    await vi.waitFor(async () => expect((await status(session)).status).toBe(401), { timeout: 3000, interval: 40 })
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1000)
  })

  it('expire when the server’s clock moves', async () => {
    const { sandbox, login, status } = await start()
    const session = await login()
    sandbox.configure({ clockOffsetMs: HOUR_MS - 60_000 })
    expect((await status(session)).status).toBe(200)
    sandbox.configure({ clockOffsetMs: HOUR_MS })
    expect((await status(session)).status).toBe(401)
  })

  it('may die earlier than the reply says', async () => {
    const { sandbox, login, status } = await start({ expiresIn: 900_000, tokenLifetime: 900 })
    const session = await login()
    expect([session.expiresIn, claimsOf(session).exp - claimsOf(session).iat]).toEqual([900_000, 900])
    sandbox.configure({ clockOffsetMs: 901_000 })
    expect((await status(session)).status).toBe(401)
  })

  it('expire all at once on demand; refresh tokens stay good', async () => {
    const { sandbox, login, status, refresh } = await start()
    const session = await login()
    sandbox.expireAccessTokens()
    expect((await status(session)).status).toBe(401)
    const refreshed = (await (await refresh(session.refreshToken)).json()) as Login
    expect((await status({ ...session, ...refreshed })).status).toBe(200)
  })

  it('of another sandbox are worth nothing', async () => {
    const one = await start()
    const two = await start()
    await two.login()
    expect((await two.status(await one.login())).status).toBe(401)
  })
})

describe('refresh tokens', () => {
  it('work once; of ten at the same time one gets through', async () => {
    const { sandbox, login, refresh } = await start()
    const { refreshToken } = await login()
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, ...Array(9).fill(401)])
    expect(sandbox.stats().operations.authRefresh).toEqual({ requests: 10, succeeded: 1 })
  })

  it('can be revoked; access tokens stay good', async () => {
    const { sandbox, login, refresh, status } = await start()
    const session = await login()
    sandbox.revokeRefreshTokens()
    expect((await refresh(session.refreshToken)).status).toBe(401)
    expect((await status(session)).status).toBe(200)
  })

  it('stay good, and are left out of the reply, where they do not rotate', async () => {
    const { login, refresh } = await start({ rotateRefresh: false })
    const { refreshToken } = await login()
    for (let round = 0; round < 2; round++) {
      const reply = await refresh(refreshToken)
      expect(reply.status).toBe(200)
      expect(Object.keys((await reply.json()) as object)).toEqual(['accessToken', 'tokenType', 'expiresIn'])
    }
  })

  it('that are made up get 401, that are missing 400', async () => {
    const { post, refresh } = await start()
    expect((await refresh('rt_made-up')).status).toBe(401)
    expect((await post('/auth/refresh', {})).status).toBe(400)
  })
})

describe('the clock', () => {
  it('moves login’s window, the life of tokens and the Date header', async () => {
    const { sandbox, login, get, status } = await start({ clockOffsetMs: -2 * HOUR_MS })
    await expect(login()).rejects.toThrow('400')
    expect((await status(await login({ at: Date.now() - 2 * HOUR_MS }))).status).toBe(200)
    const date = Date.parse((await get('/v1/player/status')).headers.get('date') ?? '')
    expect(Math.abs(date - (Date.now() - 2 * HOUR_MS))).toBeLessThan(5000)
    sandbox.configure({ clockOffsetMs: 0 })
    expect((await login()).userId).toMatch(/^player-/)
  })
})
