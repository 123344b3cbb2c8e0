// Tabs, hides, crashes and consent, in one process; those in a real browser are in test/e2e/events.test.ts.

import { describe, expect, it, vi } from 'vitest'
import type { Sandbox } from '../../src/sandbox/index.ts'
import { counts, start, times } from '../session/start.ts'

const idsAt = (sandbox: Sandbox) => sandbox.events().map(({ event }) => (event.payload as { adId: string }).adId)
const ids = (count: number, prefix = 'a') => times(count, (at) => `${prefix}${at}`)
const fast = { intervalMs: 20 }

describe('tabs', () => {
  it('offline and back: every event exactly once', async () => {
    const { sandbox, browser } = await start()
    const tabs = times(5, () => browser.open({ events: fast }))
    for (const { player } of tabs) await player.login()
    browser.online = false
    tabs.forEach(({ player }, at) => {
      for (const adId of ids(60, `t${at}-`)) player.track('Ad_Impression', { adId })
    })
    await Promise.all(tabs.map(({ player }) => player.persisted()))
    browser.online = true
    for (const { resume } of tabs) resume()
    await vi.waitFor(() => expect(sandbox.events()).toHaveLength(300), { timeout: 8000 })
    expect(sandbox.stats().duplicates).toBe(0)
    for (const at of times(5, (turn) => turn)) expect(idsAt(sandbox).filter((id) => id.startsWith(`t${at}-`))).toEqual(ids(60, `t${at}-`))
  })

  it('that die leave their events to another one', async () => {
    const { sandbox, browser } = await start()
    const [one, two] = [browser.open({ events: { intervalMs: 60_000 } }), browser.open({ events: fast })]
    await one.player.login()
    await two.player.login()
    for (const adId of ids(30)) one.player.track('Ad_Impression', { adId })
    await one.player.persisted()
    await browser.elapse(10_000)
    expect(sandbox.events()).toEqual([]) // alive: its events are its own
    one.kill()
    await browser.elapse(10_000)
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(30)))
    expect(sandbox.stats().duplicates).toBe(0)
  })

  it('on a host without locks: what an earlier start left is adopted at once', async () => {
    const { sandbox, browser } = await start({}, { lock: undefined as never })
    const first = browser.open()
    await first.player.login()
    browser.online = false
    for (const adId of ids(10)) first.player.track('Ad_Impression', { adId })
    await first.player.persisted()
    first.kill()
    browser.online = true
    await browser.open({ events: fast }).player.login()
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(10)))
  })
})

describe('players', () => {
  it('never carry each other’s events', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ deviceId: 'shared', events: fast })
    await player.login()
    const first = player.session?.userId as string
    browser.online = false
    for (const adId of ids(10)) player.track('Ad_Impression', { adId })
    await player.persisted()
    browser.online = true
    sandbox.addFault({ kind: 'status', status: 503, path: '/v1/events' })
    await player.logout()
    // The same device is somebody else's now, as far as the service is concerned.
    const login = { accessToken: 'eyJ', userId: 'somebody-else', tenantId: 't', gameId: 'g', deviceId: 'shared', tokenType: 'Bearer' }
    const body = { ...login, refreshToken: 'r', expiresIn: 3600, playerConfig: { playerStatus: {}, storeConfig: {} } }
    const other = sandbox.addFault({ kind: 'status', status: 200, body, path: '/auth/login' })
    await player.login()
    expect(player.session?.userId).toBe('somebody-else')
    sandbox.removeFault(sandbox.faults()[0]?.id ?? '')
    await player.flush()
    expect(sandbox.requests().filter(({ path, events }) => path === '/v1/events' && events).length).toBe(0)
    expect(player.stats().buffered).toBe(10)
    other()
    await player.logout()
    await player.login()
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(10)))
    expect(new Set(sandbox.events().map(({ player: owner }) => owner))).toEqual(new Set([first]))
  })

  it('have what waits sent at logout', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    for (const adId of ids(7)) player.track('Ad_Impression', { adId })
    await player.logout()
    expect(idsAt(sandbox)).toEqual(ids(7))
  })
})

describe('a hide', () => {
  it('stores at once, with a journal until that is done, and delivers a moment later', async () => {
    const { sandbox, browser } = await start()
    const tab = browser.open()
    await tab.player.login()
    for (const adId of ids(3)) tab.player.track('Ad_Impression', { adId })
    tab.hide()
    expect(browser.journal).toContain('a2')
    await tab.player.persisted()
    await vi.waitFor(() => expect(browser.journal).toBe(''))
    expect(sandbox.events()).toEqual([])
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(3)))
  })

  it('of a page that dies before the store has it: the journal brings it back, once', async () => {
    const { sandbox, browser } = await start()
    const tab = browser.open()
    await tab.player.login()
    for (const adId of ids(3)) tab.player.track('Ad_Impression', { adId })
    tab.hide(true)
    tab.kill()
    expect(browser.journal).toContain('a2')
    await browser.open({ events: fast }).player.login()
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(3)))
    await vi.waitFor(() => expect(browser.journal).toBe(''))
    expect(sandbox.stats().duplicates).toBe(0)
  })

  it('of two tabs at once keeps both journals', async () => {
    const { sandbox, browser } = await start()
    const tabs = [browser.open(), browser.open()]
    for (const { player } of tabs) await player.login()
    tabs.forEach((tab, at) => {
      tab.player.track('Ad_Impression', { adId: `t${at}` })
      tab.hide(true)
    })
    for (const tab of tabs) tab.kill()
    await browser.open({ events: fast }).player.login()
    await vi.waitFor(() => expect(idsAt(sandbox).sort()).toEqual(['t0', 't1']))
  })

  it('with onLeave: send puts the last of it on its way; a restart sends it again, and counts that', async () => {
    const { sandbox, browser } = await start()
    const events = { onLeave: 'send' as const, intervalMs: 60_000 }
    const tab = browser.open({ events })
    await tab.player.login()
    for (const adId of ids(5)) tab.player.track('Ad_Impression', { adId })
    await tab.player.persisted()
    tab.hide(true)
    await tab.player.persisted()
    expect(tab.requests.at(-1)).toMatchObject({ keepalive: true, url: `${sandbox.url}/v1/events` })
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(5)))
    tab.kill()
    const { player } = browser.open({ events: fast })
    await player.login()
    await vi.waitFor(() => expect(player.stats()).toMatchObject({ delivered: 5, resent: 5, buffered: 0 }))
    expect(sandbox.stats()).toMatchObject({ distinct: 5, duplicates: 5 })
  })
})

describe('a crash', () => {
  it('between the reply and the delete sends the batch again, and counts it', async () => {
    const { sandbox, browser } = await start()
    const tab = browser.open({ events: fast })
    await tab.player.login()
    sandbox.addFault({ kind: 'hang', when: 'after', path: '/v1/events', times: 1 })
    for (const adId of ids(4)) tab.player.track('Ad_Impression', { adId })
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(4)))
    tab.kill()
    sandbox.clearFaults()
    const { player } = browser.open({ events: fast })
    await player.login()
    await vi.waitFor(() => expect(player.stats()).toMatchObject({ delivered: 4, resent: 4 }))
    expect(sandbox.stats().duplicates).toBe(4)
  })
})

describe('consent', () => {
  it('pending holds in memory, with the times of the calls; granted stores and sends', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ consent: 'pending', events: fast })
    await player.login()
    const before = Date.now()
    for (const adId of ids(3)) player.track('Ad_Impression', { adId })
    await player.persisted()
    expect(await player.flush()).toEqual({ delivered: 0, remaining: 3 })
    expect((await browser.storage.keys('')).filter((key) => key.includes('/events/'))).toEqual([])
    await new Promise((resolve) => setTimeout(resolve, 60))
    player.setConsent('granted')
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(3)))
    expect(Date.parse(sandbox.events()[0]?.event.timestamp ?? '') - before).toBeLessThan(50)
  })

  it('pending keeps any number of events off the disk, whatever else is stored meanwhile', async () => {
    const { sandbox, browser } = await start()
    const { player, hide } = browser.open({ consent: 'pending', events: fast })
    for (const adId of ids(250)) player.track('Ad_Impression', { adId })
    await player.login()
    sandbox.expireAccessTokens()
    await player.fetchStatus()
    hide()
    await player.persisted()
    expect((await browser.storage.keys('')).filter((key) => key.includes('/events/'))).toEqual([])
    expect(browser.journal).toBe('')
    player.setConsent('granted')
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(250)))
  })

  it('denied while a batch is on its way: it counts once, delivered or dropped', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: fast })
    await player.login()
    const hang = sandbox.addFault({ kind: 'hang', when: 'after', path: '/v1/events' })
    for (const adId of ids(5)) player.track('Ad_Impression', { adId })
    await vi.waitFor(() => expect(sandbox.faults()[0]?.applied).toBe(1))
    player.track('Ad_Impression', { adId: 'later' })
    player.setConsent('denied')
    hang()
    await vi.waitFor(() => expect(player.stats()).toMatchObject({ buffered: 0, delivered: 5, dropped: { denied: 1 } }))
  })

  it('denied purges what is kept, and takes nothing', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: fast })
    await player.login()
    browser.online = false
    for (const adId of ids(3)) player.track('Ad_Impression', { adId })
    await player.persisted()
    player.setConsent('denied')
    player.track('Ad_Impression', { adId: 'later' })
    expect(player.stats()).toMatchObject({ buffered: 0, dropped: { denied: 3 } })
    await vi.waitFor(async () => expect((await browser.storage.keys('')).filter((key) => key.includes('/events/'))).toEqual([]))
    browser.online = true
    player.setConsent('granted')
    player.track('Ad_Impression', { adId: 'again' })
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(['again']))
  })

  it('denied from the start purges what an earlier start left', async () => {
    const { sandbox, browser } = await start()
    const first = browser.open()
    await first.player.login()
    browser.online = false
    for (const adId of ids(3)) first.player.track('Ad_Impression', { adId })
    await first.player.persisted()
    first.kill()
    browser.online = true
    const { player } = browser.open({ consent: 'denied', events: fast })
    await player.login()
    await vi.waitFor(() => expect(player.stats().dropped).toEqual({ denied: 3 }))
    expect(sandbox.events()).toEqual([])
  })

  it('is one of three words', async () => {
    const { browser } = await start()
    expect(() => browser.open().player.setConsent('yes' as never)).toThrow(expect.objectContaining({ code: 'config' }))
  })
})

describe('close', () => {
  it('stores what is not stored, and leaves nothing running', async () => {
    const { sandbox, browser } = await start()
    const tab = browser.open()
    await tab.player.login()
    for (const adId of ids(3)) tab.player.track('Ad_Impression', { adId })
    await tab.player.close()
    expect(tab.held()).toEqual({ timers: 0, listeners: 0, requests: 0 })
    expect(() => tab.player.track('Own')).toThrow(expect.objectContaining({ code: 'closed' }))
    await expect(tab.player.flush()).rejects.toMatchObject({ code: 'closed' })
    await expect(tab.player.persisted()).rejects.toMatchObject({ code: 'closed' })
    await browser.open({ events: fast }).player.login()
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(3)))
    expect(counts(sandbox).logins).toBe(1)
  })
})
