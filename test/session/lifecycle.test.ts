import { describe, expect, it } from 'vitest'
import { counts, start } from './start.ts'

const NOTHING = { timers: 0, listeners: 0, requests: 0 }

describe('a player', () => {
  it('does nothing before the first call', async () => {
    const { browser } = await start()
    const tab = browser.open()
    tab.player.on('session', () => {})
    expect([tab.player.session, tab.player.stats().state]).toEqual([null, 'signed-out'])
    expect(tab.held()).toEqual(NOTHING)
    expect(tab.requests).toEqual([])
    expect(await browser.storage.keys('')).toEqual([])
  })

  it('leaves no timer, listener or request behind after close()', async () => {
    const { browser } = await start()
    const tab = browser.open()
    await tab.player.login()
    expect(tab.held()).toEqual({ timers: 3, listeners: 4, requests: 0 })
    await tab.player.close()
    await tab.player.close()
    expect(tab.held()).toEqual(NOTHING)
  })

  it('gives up what is under way at close(), with closed', async () => {
    const { sandbox, browser } = await start()
    const tab = browser.open()
    await tab.player.login()
    sandbox.addFault({ kind: 'hang', when: 'before' })
    const calls = [tab.player.fetchStatus(), tab.player.api.GET('/v1/player/store_configs')]
    for (const call of calls) call.catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(tab.held().requests).toBe(2)
    await tab.player.close()
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'closed' })
    expect(tab.held()).toEqual(NOTHING)
  })

  it('gives up a login under way at close(), and keeps nothing of it', async () => {
    const { sandbox, browser } = await start()
    const tab = browser.open()
    sandbox.addFault({ kind: 'latency', ms: 100, path: '/auth/login' })
    const login = tab.player.login()
    login.catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 30))
    await tab.player.close()
    await expect(login).rejects.toMatchObject({ code: 'closed' })
    expect(tab.player.session).toBeNull()
    expect(tab.held()).toEqual(NOTHING)
  })

  it('answers every call after close() with closed', async () => {
    const { browser } = await start()
    const { player } = browser.open()
    await player.login()
    await player.close()
    const calls = [player.login(), player.logout(), player.fetchStatus(), player.fetchStore(), player.api.GET('/v1/player/status')]
    for (const call of calls)
      await expect(call).rejects.toMatchObject({ code: 'closed', message: expect.stringContaining('createPlayerData') })
    expect(player.stats().state).toBe('closed')
  })

  it('keeps the session for the next start when closed', async () => {
    const { sandbox, browser } = await start()
    const first = browser.open()
    await first.player.login()
    await first.player.close()
    await browser.open().player.login()
    expect(counts(sandbox).logins).toBe(1)
  })

  it('does not interfere with another one side by side', async () => {
    const { browser } = await start()
    const [one, two] = [browser.open({ deviceId: 'one' }), browser.open({ deviceId: 'two' })]
    await Promise.all([one.player.login(), two.player.login()])
    expect(one.player.session?.userId).not.toBe(two.player.session?.userId)
    await one.player.logout()
    expect(two.player.session).not.toBeNull()
    await one.player.close()
    expect((await two.player.fetchStatus()).isPayer).toBeDefined()
  })

  it('called twice at once logs in once', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    const [one, two] = await Promise.all([player.login(), player.login()])
    expect(one).toBe(two)
    expect(counts(sandbox).logins).toBe(1)
  })

  it('goes on in memory when the storage fails, and says so once', async () => {
    const fail = () => Promise.reject(new Error('disk full'))
    const { sandbox, browser } = await start({}, { storage: { get: fail, write: fail, keys: fail } })
    const { player } = browser.open()
    const errors: unknown[] = []
    player.on('error', (error) => errors.push(error))
    await player.login()
    sandbox.expireAccessTokens()
    await player.fetchStatus()
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'storage' })
    expect(counts(sandbox)).toMatchObject({ logins: 1, refreshes: 1 })
  })
})
