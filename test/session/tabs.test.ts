// Tabs in one process; those in a real browser are in test/e2e/session.test.ts.

import { describe, expect, it, vi } from 'vitest'
import { counts, start, times } from './start.ts'

describe('tabs', () => {
  it('share one session, one device and one login', async () => {
    const { sandbox, browser } = await start()
    const sessions = await Promise.all(times(5, () => browser.open().player.login()))
    expect(new Set(sessions.map(({ deviceId }) => deviceId)).size).toBe(1)
    expect(counts(sandbox).logins).toBe(1)
  })

  it('make one refresh at expiry', async () => {
    const { sandbox, browser } = await start()
    const tabs = times(5, () => browser.open())
    for (const { player } of tabs) await player.login()
    await browser.elapse(2 * 3_600_000)
    await Promise.all(tabs.map(({ player }) => player.fetchStatus()))
    expect(counts(sandbox)).toEqual({ logins: 1, failedLogins: 0, refreshes: 1, failedRefreshes: 0 })
  })

  it('make one refresh after a 401', async () => {
    const { sandbox, browser } = await start()
    const tabs = times(3, () => browser.open())
    for (const { player } of tabs) await player.login()
    sandbox.expireAccessTokens()
    await Promise.all(tabs.map(({ player }) => player.fetchStatus()))
    expect(counts(sandbox)).toMatchObject({ logins: 1, refreshes: 1 })
  })

  it('tell each other of a new session, status and store', async () => {
    const { sandbox, browser } = await start()
    const [one, two] = [browser.open(), browser.open()]
    await one.player.login()
    await two.player.login()
    const heard: string[] = []
    two.player.on('session', () => heard.push('session'))
    two.player.on('status', () => heard.push('status'))
    sandbox.expireAccessTokens()
    const other = { isPayer: { value: !one.player.status?.isPayer.value, defaultValue: false, expiredAt: null } }
    sandbox.addFault({ kind: 'status', status: 200, body: other, path: '/v1/player/status', after: 1 })
    await one.player.fetchStatus()
    await vi.waitFor(() => expect(heard.sort()).toEqual(['session', 'status']))
    expect(two.player.status).toEqual(other)
    expect(two.player.session).toEqual(one.player.session)
  })
})

describe('logout', () => {
  it('ends the session in every tab, and the next login is a signed one', async () => {
    const { sandbox, browser } = await start()
    const [one, two] = [browser.open(), browser.open()]
    await one.player.login()
    await two.player.login()
    const heard: unknown[] = []
    two.player.on('session', (session) => heard.push(session))
    two.player.on('state', (state) => heard.push(state))
    await one.player.logout()
    expect([one.player.session, one.player.status, one.player.store]).toEqual([null, null, null])
    await vi.waitFor(() => expect(heard).toEqual([null, 'signed-out']))
    expect([two.player.session, two.player.status]).toEqual([null, null])
    await expect(two.player.fetchStatus()).rejects.toMatchObject({ code: 'auth', message: expect.stringContaining('login()') })
    await one.player.login()
    expect(counts(sandbox)).toMatchObject({ logins: 2, refreshes: 0 })
  })

  it.each(['memory', 'session'] as const)('reaches tabs that keep their tokens for themselves (%s)', async (tokens) => {
    const { browser } = await start()
    const [one, two] = [browser.open({ tokens }), browser.open({ tokens })]
    await one.player.login()
    await two.player.login()
    await one.player.logout()
    await vi.waitFor(() => expect(two.player.session).toBeNull())
  })

  it('wins over a refresh under way in the same tab', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.addFault({ kind: 'latency', ms: 200, path: '/auth/refresh' })
    sandbox.expireAccessTokens()
    const call = player.fetchStatus()
    call.catch(() => {})
    await vi.waitFor(() => expect(sandbox.requests().some(({ path, status }) => path === '/v1/player/status' && status === 401)).toBe(true))
    await player.logout()
    await expect(call).rejects.toMatchObject({ code: 'auth' })
    expect(counts(sandbox).refreshes).toBe(1)
    expect(player.session).toBeNull()
    expect((await browser.storage.keys('')).filter((key) => key.endsWith('/tokens'))).toEqual([])
  })

  it('wins over a refresh under way in another tab, with messages or without', async () => {
    for (const parts of [{}, { broadcast: { post() {}, listen: () => () => {} } }]) {
      const { sandbox, browser } = await start({}, parts)
      const [one, two] = [browser.open(), browser.open()]
      await one.player.login()
      await two.player.login()
      sandbox.addFault({ kind: 'hang', when: 'after', path: '/auth/refresh', forMs: 300 })
      sandbox.expireAccessTokens()
      const call = two.player.fetchStatus()
      call.catch(() => {})
      await vi.waitFor(() => expect(two.requests.some(({ url }) => url.endsWith('/auth/refresh'))).toBe(true))
      await one.player.logout()
      await expect(call).rejects.toMatchObject({ code: 'auth' })
      expect([one.player.session, two.player.session]).toEqual([null, null])
      expect((await browser.storage.keys('')).filter((key) => key.endsWith('/tokens'))).toEqual([])
    }
  })

  it('calls the service only where it is told how', async () => {
    const { sandbox, browser } = await start()
    const { player, requests } = browser.open({ logoutEndpoint: { method: 'POST', path: '/auth/logout' } })
    await player.login()
    const errors: unknown[] = []
    player.on('error', (error) => errors.push(error))
    await player.logout()
    expect(requests.at(-1)).toMatchObject({
      method: 'POST',
      url: `${sandbox.url}/auth/logout`,
      headers: { authorization: expect.stringMatching(/^Bearer /) },
    })
    expect(player.session).toBeNull()
    const quiet = browser.open()
    await quiet.player.login()
    await quiet.player.logout()
    expect(quiet.requests.map(({ url }) => url)).toEqual([`${sandbox.url}/auth/login`])
  })
})
