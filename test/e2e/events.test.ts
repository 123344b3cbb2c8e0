// Events in a real Chromium: tabs, closing, freezing, hiding and the way back, as they are there. What counts is what the service received.

import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type * as PlayerDataModule from '../../src/index.ts'
import { context, rendererOf, sandbox, site, usePages } from '../pages.ts'
import { times } from '../session/start.ts'
import { type DevTools, startDevTools, type Tab } from './devtools.ts'

declare const PlayerData: typeof PlayerDataModule
declare const window: Window & typeof globalThis & { player: PlayerDataModule.PlayerData; track(name: string, count: number): void }

/** So long that nothing is sent because of it. */
const NEVER_MS = 600_000
/** Inside toMatchObject a bare {} would match anything. */
const none = expect.toSatisfy((counts: object) => Object.keys(counts).length === 0)

usePages()

/** Runs in the page. */
async function makePlayer(baseUrl: string, events: PlayerDataModule.PlayerDataOptions['events']): Promise<void> {
  const signer = PlayerData.developmentSigner({ secret: 'dev-secret', anywhere: true })
  window.player = PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer, ...(events && { events }) })
  window.track = (name, count) => {
    for (let at = 0; at < count; at += 1) window.player.track('Probe', { id: `${name} ${at}` })
  }
  await window.player.login()
}

/** Makes a player in the tab, and logs it in. */
async function start(page: Page, events: PlayerDataModule.PlayerDataOptions['events'] = {}): Promise<void> {
  await page.evaluate(`(${makePlayer})(${JSON.stringify(sandbox.url)}, ${JSON.stringify(events)})`)
}

async function openTab(events?: PlayerDataModule.PlayerDataOptions['events']): Promise<Page> {
  const page = await site.open(context)
  await start(page, events)
  return page
}

const track = (page: Page, name: string, count: number) =>
  page.evaluate(([name, count]) => window.track(name, count), [name, count] as const)
const persisted = (page: Page) => page.evaluate(() => window.player.persisted())
const stats = (page: Page) => page.evaluate(() => window.player.stats())
const ids = (name: string, count: number) => times(count, (at) => `${name} ${at}`)
const received = () => sandbox.events().map(({ event }) => String((event.payload as { id: string }).id))

/** Waits until the service has all of these, and holds that it has each of them once and nothing else. */
async function arriveOnce(expected: string[], timeout = 15_000): Promise<void> {
  await vi.waitFor(() => expect(new Set(received())).toEqual(new Set(expected)), { timeout, interval: 50 })
  await quiet()
  expect(received().sort()).toEqual([...expected].sort())
  expect(sandbox.stats().duplicates).toBe(0)
}

/** Waits until no tab has anything left to send, or anything on its way. */
async function quiet(): Promise<void> {
  for (const page of context.pages()) {
    const isPlayers = await page.evaluate(() => window.player !== undefined)
    if (isPlayers) await vi.waitFor(async () => expect((await stats(page)).buffered).toBe(0), { timeout: 5000, interval: 50 })
  }
}

describe('tabs offline and back', () => {
  it.each([2, 5])('%i: every event exactly once', async (count) => {
    const tabs = await Promise.all(times(count, () => openTab({ intervalMs: 200 })))
    await context.setOffline(true)
    for (const [at, tab] of tabs.entries()) {
      await track(tab, `first ${at}`, 60)
      await persisted(tab)
      await track(tab, `second ${at}`, 130)
    }
    for (const tab of tabs) await vi.waitFor(async () => expect((await stats(tab)).buffered).toBe(190), { timeout: 5000 })
    expect(received()).toEqual([])
    await context.setOffline(false)
    for (const [at, tab] of tabs.entries()) await track(tab, `third ${at}`, 10)
    await arriveOnce(tabs.flatMap((_, at) => [...ids(`first ${at}`, 60), ...ids(`second ${at}`, 130), ...ids(`third ${at}`, 10)]))
    for (const tab of tabs) expect(await stats(tab)).toMatchObject({ delivered: 200, buffered: 0, dropped: none, durability: 'disk' })
  })

  it('a service that drops every connection for a while: every event exactly once, and in order within a tab', async () => {
    const tabs = await Promise.all(times(2, () => openTab({ intervalMs: 100 })))
    const up = sandbox.addFault({ kind: 'drop', when: 'before', path: '/v1/events' })
    for (const [at, tab] of tabs.entries()) await track(tab, `tab ${at}`, 150)
    await vi.waitFor(() => expect(sandbox.faults()[0]?.applied).toBeGreaterThan(3), { timeout: 5000 })
    up()
    await arriveOnce([...ids('tab 0', 150), ...ids('tab 1', 150)])
    for (const at of [0, 1]) expect(received().filter((id) => id.startsWith(`tab ${at}`))).toEqual(ids(`tab ${at}`, 150))
  })

  it('a game that starts offline without a session: its events are claimed by the login', async () => {
    const page = await site.open(context)
    await context.setOffline(true)
    await start(page).catch(() => {})
    await track(page, 'early', 20)
    await persisted(page)
    await context.setOffline(false)
    await page.evaluate(() => window.player.login())
    await arriveOnce(ids('early', 20))
  })
})

describe('a tab that stores and sends at the same time', () => {
  it('drops nothing that it has just stored', async () => {
    const page = await openTab({ intervalMs: 1 })
    await page.evaluate(async () => {
      for (let at = 0; at < 400; at += 1) {
        window.player.track('Probe', { id: `busy ${at}` })
        window.player.persisted()
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 8))
      }
    })
    await vi.waitFor(async () => expect((await stats(page)).buffered).toBe(0), { timeout: 5000 })
    expect(await stats(page)).toMatchObject({ delivered: 400, dropped: none })
    await arriveOnce(ids('busy', 400))
  })
})

describe('the events of another tab', () => {
  it('a closed one: delivered by a tab that is open', async () => {
    const gone = await openTab({ intervalMs: NEVER_MS })
    const other = await openTab()
    await track(gone, 'gone', 120)
    await persisted(gone)
    await gone.close()
    await arriveOnce(ids('gone', 120), 18_000)
    expect(await stats(other)).toMatchObject({ delivered: 120, resent: 0 })
  }, 30_000)

  it('one whose renderer crashed: delivered by the next start', async () => {
    const gone = await openTab({ intervalMs: NEVER_MS })
    await track(gone, 'gone', 120)
    await persisted(gone)
    await gone.goto('chrome://crash').catch(() => {})
    await gone.close()
    await openTab()
    await arriveOnce(ids('gone', 120))
  })

  it('a frozen one: not stolen; awake again it delivers them itself', async () => {
    const frozen = await openTab({ intervalMs: 3000 })
    const other = await site.open(context)
    const pid = await rendererOf(frozen)
    expect(await rendererOf(other)).not.toBe(pid)
    await track(frozen, 'frozen', 50)
    await persisted(frozen)
    process.kill(pid, 'SIGSTOP')
    try {
      await start(other, { intervalMs: 100 })
      await track(other, 'other', 5)
      // It has looked for tabs that died by the time it has held its own lane and sent.
      await vi.waitFor(() => expect(received()).toEqual(ids('other', 5)), { timeout: 5000 })
      await new Promise((resolve) => setTimeout(resolve, 1000))
      expect(received()).toEqual(ids('other', 5))
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await arriveOnce([...ids('frozen', 50), ...ids('other', 5)])
    expect(await stats(frozen)).toMatchObject({ delivered: 50 })
    expect(await stats(other)).toMatchObject({ delivered: 5 })
  })
})

describe('a tab that goes at once after track', () => {
  // Two popups that close themselves in the very task that has tracked, and a page that is closed from outside.
  it.each(['from outside', 'by itself', 'by navigation'])('%s: the next start delivers everything, once', async (how) => {
    const opener = await site.open(context)
    const [page] = await Promise.all([context.waitForEvent('page'), opener.evaluate((url) => void window.open(url), site.url)])
    await page.waitForFunction(() => typeof PlayerData !== 'undefined')
    await start(page, { intervalMs: NEVER_MS })
    await track(page, 'before', 10)
    await persisted(page)
    if (how === 'from outside') {
      await track(page, 'last', 230)
      await page.close()
    } else {
      const closed = how === 'by itself' ? page.waitForEvent('close') : page.waitForURL('**/empty')
      await page
        .evaluate((how) => {
          window.track('last', 230)
          if (how === 'by itself') window.close()
          else location.href = '/empty'
        }, how)
        .catch(() => {})
      await closed
    }
    expect(received()).toEqual([])
    const next = await openTab()
    await arriveOnce([...ids('before', 10), ...ids('last', 230)])
    expect(await stats(next)).toMatchObject({ delivered: 240, resent: 0, dropped: none })
  })

  it("with onLeave 'keep' nothing is sent on the way out", async () => {
    const page = await openTab({ intervalMs: NEVER_MS })
    await track(page, 'kept', 20)
    await page.goto(`${site.url}/empty`)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(sandbox.stats().operations.sendEvents?.requests).toBe(0)
    await openTab()
    await arriveOnce(ids('kept', 20))
  })

  it.each(['closed', 'navigated'])(
    "with onLeave 'send' and %s: the last batch arrives, and at most that again after a restart",
    async (how) => {
      const page = await openTab({ intervalMs: NEVER_MS, onLeave: 'send' })
      await track(page, 'last', 40)
      if (how === 'closed') await page.close({ runBeforeUnload: true })
      else await page.goto(`${site.url}/empty`)
      await vi.waitFor(() => expect(new Set(received())).toEqual(new Set(ids('last', 40))), { timeout: 5000 })
      const next = await openTab({ intervalMs: 100 })
      await vi.waitFor(async () => expect(await stats(next)).toMatchObject({ delivered: 40, buffered: 0 }), { timeout: 5000 })
      expect(new Set(received())).toEqual(new Set(ids('last', 40)))
      const { duplicates } = sandbox.stats()
      expect(duplicates).toBeLessThanOrEqual(40)
      expect((await stats(next)).resent).toBe(duplicates)
    },
  )

  it("with onLeave 'send' and more than fits: 60 KiB at most, the rest waits for the next start", async () => {
    const page = await openTab({ intervalMs: NEVER_MS, onLeave: 'send' })
    await track(page, 'many', 400)
    await page.goto(`${site.url}/empty`)
    await vi.waitFor(() => expect(received().length).toBeGreaterThan(100), { timeout: 5000 })
    const last = received()
    expect(last).toEqual(ids('many', 400).slice(-last.length))
    const next = await openTab({ intervalMs: 100 })
    await vi.waitFor(async () => expect(await stats(next)).toMatchObject({ delivered: 400, buffered: 0 }), { timeout: 5000 })
    expect(new Set(received())).toEqual(new Set(ids('many', 400)))
    expect(sandbox.stats().duplicates).toBe(last.length)
    expect((await stats(next)).resent).toBe(last.length)
  })
})

describe('hidden, frozen and cached, as no driver sees it', () => {
  let devtools: DevTools
  beforeEach(async () => {
    devtools = await startDevTools(['--host-resolver-rules=MAP game.example.com 127.0.0.1'])
  })
  afterEach(() => devtools.close())

  async function openPlayer(url = site.url, intervalMs = 200): Promise<Tab> {
    const tab = await devtools.open(url)
    await vi.waitFor(async () => expect(await tab.run(() => typeof PlayerData)).toBe('object'), { timeout: 5000 })
    await tab.run(makePlayer, sandbox.url, { intervalMs })
    return tab
  }
  const visibility = (tab: Tab) => tab.run(() => document.visibilityState)
  const trackIn = (tab: Tab, name: string, count: number) => tab.run((name, count) => window.track(name, count), name, count)

  it('hide and show: what was tracked is sent though the interval is long, and nothing twice', async () => {
    const tab = await openPlayer(site.url, NEVER_MS)
    await trackIn(tab, 'before', 30)
    const front = await devtools.open(`${site.url}/empty`)
    await vi.waitFor(async () => expect(await visibility(tab)).toBe('hidden'), { timeout: 5000 })
    await arriveOnce(ids('before', 30))
    await trackIn(tab, 'hidden', 30)
    await front.close()
    await tab.send('Page.bringToFront')
    await vi.waitFor(async () => expect(await visibility(tab)).toBe('visible'), { timeout: 5000 })
    await trackIn(tab, 'shown', 30)
    await arriveOnce([...ids('before', 30), ...ids('hidden', 30), ...ids('shown', 30)])
    await vi.waitFor(
      async () => expect(await tab.run(() => window.player.stats())).toMatchObject({ delivered: 90, resent: 0, dropped: none }),
      { timeout: 5000 },
    )
  })

  it('frozen: another tab leaves its events alone; awake it sends them itself', async () => {
    const tab = await openPlayer(site.url, NEVER_MS)
    await devtools.open(`${site.url}/empty`)
    await vi.waitFor(async () => expect(await visibility(tab)).toBe('hidden'), { timeout: 5000 })
    await trackIn(tab, 'frozen', 30)
    await tab.run(() => window.player.persisted()) // Chromium freezes no page that has a transaction open, except when told to as here
    await tab.send('Page.setWebLifecycleState', { state: 'frozen' })
    const front = await openPlayer(site.url, 100)
    await trackIn(front, 'front', 5)
    await vi.waitFor(() => expect(received()).toEqual(ids('front', 5)), { timeout: 5000 })
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(received()).toEqual(ids('front', 5))
    await tab.send('Page.setWebLifecycleState', { state: 'active' })
    await tab.send('Page.bringToFront')
    await arriveOnce([...ids('frozen', 30), ...ids('front', 5)])
    await vi.waitFor(async () => expect(await tab.run(() => window.player.stats())).toMatchObject({ delivered: 30, resent: 0 }), {
      timeout: 5000,
    })
  })

  async function goAway(tab: Tab): Promise<void> {
    await tab.run(() => {
      location.href = '/empty'
    })
    await vi.waitFor(async () => expect(await tab.run(() => location.pathname)).toBe('/empty'), { timeout: 5000 })
  }

  /** Says whether it is the same page, out of the back-forward cache. */
  async function goBack(tab: Tab): Promise<boolean> {
    await tab.run(() => history.back())
    await vi.waitFor(async () => expect(await tab.run(() => typeof PlayerData)).toBe('object'), { timeout: 5000 })
    return tab.run(() => window.player !== undefined)
  }

  // Without TLS there are no Web Locks, and the lanes are held by leases.
  it.each(['127.0.0.1', 'game.example.com'])('cached and back, on %s: the same page goes on, no event lost, none twice', async (host) => {
    const tab = await openPlayer(site.url.replace('127.0.0.1', host), 1000)
    await trackIn(tab, 'before', 30)
    await tab.run(() => window.player.persisted()) // a page with a write under way is not cached
    await goAway(tab)
    expect(await goBack(tab)).toBe(true)
    await trackIn(tab, 'after', 30)
    await arriveOnce([...ids('before', 30), ...ids('after', 30)])
    await vi.waitFor(async () => expect(await tab.run(() => window.player.stats())).toMatchObject({ delivered: 60, resent: 0 }), {
      timeout: 5000,
    })
  })

  it('away at once after track, and back: no event lost, none twice', async () => {
    const tab = await openPlayer(site.url, NEVER_MS)
    for (const round of [0, 1, 2, 3]) {
      await trackIn(tab, `round ${round}`, 30)
      await goAway(tab)
      if (!(await goBack(tab))) await tab.run(makePlayer, sandbox.url, { intervalMs: NEVER_MS })
    }
    await trackIn(tab, 'after', 30)
    await tab.run(() => window.player.flush())
    await arriveOnce([...[0, 1, 2, 3].flatMap((round) => ids(`round ${round}`, 30)), ...ids('after', 30)])
  })

  it('cached, and another tab starts meanwhile: every event once, whoever sends it', async () => {
    const tab = await openPlayer(site.url, NEVER_MS)
    await trackIn(tab, 'before', 30)
    await goAway(tab)
    const other = await openPlayer(site.url)
    await trackIn(other, 'other', 30)
    await vi.waitFor(() => expect(received()).toEqual(expect.arrayContaining(ids('other', 30))), { timeout: 5000 })
    await tab.send('Page.bringToFront')
    if (!(await goBack(tab))) await tab.run(makePlayer, sandbox.url, { intervalMs: 200 })
    await trackIn(tab, 'after', 30)
    await tab.run(() => window.player.flush())
    await arriveOnce([...ids('before', 30), ...ids('other', 30), ...ids('after', 30)])
  })
})
