import { describe, expect, it, vi } from 'vitest'
import { counts, start, times } from './start.ts'

const MINUTE = 60_000

describe('a token that the service refuses', () => {
  it('10 parallel calls make 1 refresh and get 10 answers', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    const answers = await Promise.all(times(10, (at) => (at % 2 ? player.fetchStatus() : player.fetchStore())))
    expect(answers).toHaveLength(10)
    expect(counts(sandbox)).toEqual({ logins: 1, failedLogins: 0, refreshes: 1, failedRefreshes: 0 })
  })

  it('with a revoked refresh token makes exactly 1 signed login, and the calls are sent again', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.revokeRefreshTokens()
    await Promise.all(times(5, () => player.fetchStatus()))
    expect(counts(sandbox)).toEqual({ logins: 2, failedLogins: 0, refreshes: 0, failedRefreshes: 1 })
  })

  it('is renewed however soon after the last renewal', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    for (const _ of times(3, () => 0)) {
      sandbox.expireAccessTokens()
      await player.fetchStatus()
    }
    expect(counts(sandbox)).toMatchObject({ logins: 1, refreshes: 3 })
  })

  it('for ever does not loop: the call ends with auth', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.addFault({ kind: 'status', status: 401, path: '/v1/player/status' })
    await expect(player.fetchStatus()).rejects.toMatchObject({ code: 'auth', status: 401 })
    expect(sandbox.stats().operations.getPlayerStatus?.requests).toBe(2)
    expect(counts(sandbox)).toMatchObject({ logins: 1, refreshes: 1 })
  })
})

describe('a wrong secret', () => {
  it('is auth after one attempt', async () => {
    const { sandbox, browser } = await start({ secret: 'another' })
    await expect(browser.open().player.login()).rejects.toMatchObject({ code: 'auth', status: 401 })
    expect(counts(sandbox)).toMatchObject({ logins: 0, failedLogins: 1 })
  })

  it('that comes up later does not make every call a login', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.revokeRefreshTokens()
    sandbox.addFault({ kind: 'status', status: 401, path: '/auth/login' })
    for (const _ of times(10, () => 0)) await expect(player.fetchStatus()).rejects.toMatchObject({ code: 'auth' })
    expect(counts(sandbox).failedLogins).toBe(1)
    sandbox.clearFaults()
    await player.login() // a login that the game asks for is made
    expect((await player.fetchStatus()).isPayer).toBeDefined()
  })
})

describe('expiry by the clock', () => {
  it.each([1, 3600, 900_000, 40 * 24 * 3600])('of %i s: no needless refresh in 20 calls, and one when it is time', async (expiresIn) => {
    const { sandbox, browser } = await start({ expiresIn, tokenLifetime: 40 * 24 * 3600 + 100 })
    const { player } = browser.open()
    const session = await player.login()
    expect(Math.abs(session.expiresAt - Date.now() - expiresIn * 1000)).toBeLessThan(1000)
    for (const _ of times(20, () => 0)) await player.fetchStatus()
    expect(counts(sandbox).refreshes).toBeLessThanOrEqual(expiresIn === 1 ? 1 : 0)
    await browser.elapse(expiresIn * 1000)
    await player.fetchStatus()
    const { refreshes } = counts(sandbox)
    expect(refreshes).toBeGreaterThanOrEqual(1)
    for (const _ of times(20, () => 0)) await player.fetchStatus()
    expect(counts(sandbox).refreshes - refreshes).toBeLessThanOrEqual(expiresIn === 1 ? 1 : 0)
  })

  it('goes by the token’s own times where they are shorter than expiresIn', async () => {
    const { sandbox, browser } = await start({ expiresIn: 900_000, tokenLifetime: 900 })
    const { player } = browser.open()
    const session = await player.login()
    expect(Math.abs(session.expiresAt - Date.now() - 900_000)).toBeLessThan(2000)
    await browser.elapse(15 * MINUTE)
    await player.fetchStatus()
    expect(counts(sandbox)).toMatchObject({ logins: 1, refreshes: 1 })
  })

  it('renews before the end on its own, without a call', async () => {
    const { sandbox, browser } = await start()
    await browser.open().player.login()
    await browser.elapse(3_500_000)
    expect(counts(sandbox).refreshes).toBe(0)
    await browser.elapse(45_000)
    await vi.waitFor(() => expect(counts(sandbox).refreshes).toBe(1))
  })

  it('of a token near its end is renewed on the side: the call does not wait', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.addFault({ kind: 'latency', ms: 400, path: '/auth' })
    await browser.elapse(3590_000)
    await player.fetchStatus()
    expect(counts(sandbox).refreshes).toBe(0)
    await vi.waitFor(() => expect(counts(sandbox).refreshes).toBe(1))
  })

  it.each([24 * 60 * MINUTE, -24 * 60 * MINUTE])('a clock that jumps by %i ms makes at most one refresh', async (jump) => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    browser.clockOffsetMs = jump
    for (const _ of times(20, () => 0)) await player.fetchStatus()
    expect(counts(sandbox).refreshes).toBeLessThanOrEqual(1)
  })

  it('a clock that flaps makes no storm', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    for (const at of times(40, (turn) => turn)) {
      browser.clockOffsetMs = at % 2 ? 24 * 60 * MINUTE : 0
      await player.fetchStatus()
    }
    expect(counts(sandbox).logins).toBe(1)
    expect(counts(sandbox).refreshes).toBeLessThanOrEqual(1)
  })

  it('after sleep is seen on resume', async () => {
    const { sandbox, browser } = await start()
    const tab = browser.open()
    await tab.player.login()
    browser.clockOffsetMs = 2 * 60 * MINUTE // timers stood still
    tab.resume()
    await vi.waitFor(() => expect(counts(sandbox).refreshes).toBe(1))
  })
})

describe('a refresh without a reply', () => {
  it('is never sent again: the player is logged in at the end, by a signed login', async () => {
    const { sandbox, browser } = await start()
    const { player, requests } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.addFault({ kind: 'drop', when: 'after', path: '/auth/refresh' })
    expect((await player.fetchStatus()).isPayer).toBeDefined()
    expect(requests.filter(({ url }) => url.endsWith('/auth/refresh'))).toHaveLength(1)
    expect(counts(sandbox).logins).toBe(2)
  })

  it('leaves the access token to serve while it is valid', async () => {
    const { sandbox, browser } = await start()
    const { player, requests } = browser.open()
    await player.login()
    sandbox.addFault({ kind: 'drop', when: 'after', path: '/auth/refresh' })
    await browser.elapse(3595_000)
    for (const _ of times(5, () => 0)) await player.fetchStatus()
    await vi.waitFor(() => expect(requests.some(({ url }) => url.endsWith('/auth/refresh'))).toBe(true))
    for (const _ of times(5, () => 0)) await player.fetchStatus()
    expect(counts(sandbox).logins).toBe(1)
    await browser.elapse(45_000)
    await player.fetchStatus()
    expect(requests.filter(({ url }) => url.endsWith('/auth/refresh'))).toHaveLength(1)
    expect(counts(sandbox).logins).toBe(2)
  })

  it('is remembered over a crash: what is stored before it is sent keeps the next start from using it', async () => {
    const { sandbox, browser } = await start()
    const first = browser.open()
    await first.player.login()
    sandbox.addFault({ kind: 'hang', when: 'after', path: '/auth/refresh' })
    await browser.elapse(2 * 60 * MINUTE)
    first.player.fetchStatus().catch(() => {})
    await vi.waitFor(() => expect(first.requests.some(({ url }) => url.endsWith('/auth/refresh'))).toBe(true))
    await first.player.close() // the tab dies with the refresh under way
    const second = browser.open()
    await second.player.login()
    expect(second.requests.map(({ url }) => url)).not.toContain(`${sandbox.url}/auth/refresh`)
    expect(second.player.session?.offline).toBe(false)
  })

  it('or with a 500 is the same: the token serves on, and the refresh token is not sent again', async () => {
    const { sandbox, browser } = await start()
    const { player, requests } = browser.open()
    await player.login()
    const refreshes = () => requests.filter(({ url }) => url.endsWith('/auth/refresh')).length
    sandbox.addFault({ kind: 'status', status: 500, path: '/auth/refresh' })
    await browser.elapse(3595_000)
    await vi.waitFor(() => expect(refreshes()).toBe(1))
    await player.fetchStatus()
    expect(counts(sandbox).logins).toBe(1)
    await browser.elapse(45_000)
    await player.fetchStatus()
    expect([refreshes(), counts(sandbox).logins]).toEqual([1, 2])
  })

  it('where the service is busy, leaves the refresh token as it was', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.addFault({ kind: 'status', status: 503, path: '/auth/refresh', times: 1 })
    await expect(player.fetchStatus()).rejects.toMatchObject({ code: 'http', status: 503 })
    await player.fetchStatus()
    expect(counts(sandbox)).toMatchObject({ logins: 1, refreshes: 1 })
  })
})

describe('a refresh whose reply leaves things out', () => {
  it('keeps the old refresh token where there is no new one', async () => {
    const { sandbox, browser } = await start({ rotateRefresh: false })
    const { player } = browser.open()
    await player.login()
    for (const _ of times(3, () => 0)) {
      sandbox.expireAccessTokens()
      await player.fetchStatus()
    }
    expect(counts(sandbox)).toMatchObject({ logins: 1, refreshes: 3 })
  })

  it('without an access token is no refresh: a signed login follows', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.addFault({ kind: 'status', status: 200, body: { hello: 'world' }, path: '/auth/refresh' })
    await player.fetchStatus()
    expect(counts(sandbox).logins).toBe(2)
  })
})
