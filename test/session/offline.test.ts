import { describe, expect, it, vi } from 'vitest'
import type { Fault } from '../../src/sandbox/index.ts'
import { counts, start } from './start.ts'

const HOUR = 3_600_000

describe('a start from the kept session', () => {
  it('makes no request while the token is good', async () => {
    const { browser } = await start()
    const first = browser.open()
    const session = await first.player.login()
    const { status, store } = first.player
    await first.player.close()
    const second = browser.open()
    expect(await second.player.login()).toEqual(session)
    expect([second.player.status, second.player.store]).toEqual([status, store])
    expect(second.requests).toEqual([])
  })

  it('is of its own base URL, API key and device', async () => {
    const { sandbox, browser } = await start()
    await browser.open({ deviceId: 'one' }).player.login()
    await browser.open({ deviceId: 'two' }).player.login()
    await browser.open({ deviceId: 'one', baseUrl: sandbox.url.replace('127.0.0.1', 'localhost') }).player.login()
    expect(counts(sandbox).logins).toBe(3)
  })

  it('treats a store that the browser has cleared as none', async () => {
    const { sandbox, browser } = await start()
    await browser.open().player.login()
    await browser.storage.write({ delete: await browser.storage.keys('') })
    await browser.open().player.login()
    expect(counts(sandbox).logins).toBe(2)
  })

  it.each([null, 7, 'x', [], {}, { accessToken: 7 }, JSON.parse('{"__proto__":{"polluted":true}}')])(
    'takes %j in the store for no session',
    async (junk) => {
      const { sandbox, browser } = await start()
      await browser.open().player.login()
      const keys = await browser.storage.keys('')
      await browser.storage.write({ set: keys.map((key) => [key, junk]) })
      await browser.open().player.login()
      expect(counts(sandbox).logins).toBe(2)
      expect('polluted' in {}).toBe(false)
    },
  )

  it.each(['memory', 'session'] as const)('does not happen with tokens: %s, and nothing of it is stored', async (tokens) => {
    const { sandbox, browser } = await start()
    await browser.open({ tokens }).player.login()
    const stored = JSON.stringify(await browser.storage.get(await browser.storage.keys('')))
    expect(stored).not.toMatch(/eyJ|accessToken|refreshToken/)
    await browser.open({ tokens }).player.login()
    expect(counts(sandbox).logins).toBe(2)
  })
})

describe('a start without network', () => {
  it('is a network error with nothing kept', async () => {
    const { browser } = await start()
    browser.online = false
    await expect(browser.open().player.login()).rejects.toMatchObject({ code: 'network' })
  })

  it('goes on with the kept session, status and store, and renews when the network is back', async () => {
    const { sandbox, browser } = await start()
    const first = browser.open()
    await first.player.login()
    const { status, store } = first.player
    await first.player.close()
    browser.online = false
    await browser.elapse(2 * HOUR)
    const { player, resume } = browser.open()
    const states: string[] = []
    player.on('state', (state) => states.push(state))
    expect(await player.login()).toMatchObject({ offline: true, userId: expect.any(String) })
    expect([player.status, player.store, player.stats().state]).toEqual([status, store, 'offline'])
    await expect(player.fetchStatus()).rejects.toMatchObject({ code: 'network' })
    browser.online = true
    resume()
    await vi.waitFor(() => expect(player.session?.offline).toBe(false))
    await vi.waitFor(() => expect(states).toEqual(['offline', 'online']))
    expect((await player.fetchStatus()).isPayer).toEqual(status?.isPayer)
    expect(counts(sandbox).logins + counts(sandbox).refreshes).toBe(2)
  })

  it('tries again by itself, without a word from the host', async () => {
    const { browser } = await start()
    await browser.open().player.login()
    browser.online = false
    await browser.elapse(2 * HOUR)
    const { player } = browser.open()
    await player.login()
    browser.online = true
    await vi.waitFor(() => expect(player.session?.offline).toBe(false), { timeout: 5000 })
  })

  it.each<[string, Fault]>([
    ['a service that is down', { kind: 'status', status: 503 }],
    ['a captive portal', { kind: 'portal' }],
    ['a dead connection', { kind: 'drop', when: 'before' }],
  ])('is the same with %s', async (_, fault) => {
    const { sandbox, browser } = await start()
    await browser.open().player.login()
    sandbox.addFault(fault)
    await browser.elapse(2 * HOUR)
    expect(await browser.open().player.login()).toMatchObject({ offline: true })
  })

  it('is no way around a refusal', async () => {
    const { sandbox, browser } = await start()
    await browser.open().player.login()
    sandbox.addFault({ kind: 'status', status: 401, path: '/auth' })
    await browser.elapse(2 * HOUR)
    await expect(browser.open().player.login()).rejects.toMatchObject({ code: 'auth' })
  })
})
