// Storage that fails, in a real Chromium: full, absent, hanging, forbidden, deleted, damaged. The game goes on, the events arrive, and what
// the player says about durability is true.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type * as PlayerDataModule from '../../src/index.ts'
import { context, sandbox, site, usePages } from '../pages.ts'
import { times } from '../session/start.ts'

declare const PlayerData: typeof PlayerDataModule
declare const window: Window &
  typeof globalThis & {
    player: PlayerDataModule.PlayerData
    track(name: string, count: number, pad?: number): void
    dropped: { reason: string; events: unknown[] }[]
    errors: { code: string; message: string }[]
  }

const NEVER_MS = 600_000
/** Inside toMatchObject a bare {} would match anything. */
const none = expect.toSatisfy((counts: object) => Object.keys(counts).length === 0)

usePages()
afterEach(() => {
  // Nothing was thrown that nobody caught; a connection that was reset on purpose is told by the browser itself.
  expect(site.problems.filter((problem) => !problem.includes('net::ERR'))).toEqual([])
})

type Where = Page | Frame
type EventOptions = PlayerDataModule.PlayerDataOptions['events']

/** Makes a player in the page, and logs it in. */
async function start(page: Where, events: EventOptions = { intervalMs: 100 }): Promise<void> {
  await page.evaluate(
    async ([baseUrl, events]) => {
      window.dropped = []
      window.errors = []
      const signer = PlayerData.developmentSigner({ secret: 'dev-secret', anywhere: true })
      window.player = PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer, deviceId: 'device-1', events })
      window.player.on('dropped', (event) => window.dropped.push(event))
      window.player.on('error', ({ code, message }) => window.errors.push({ code, message }))
      // Chromium compresses what it stores, so what should take room is random.
      const random = (length: number) => String.fromCharCode(...Array.from({ length }, () => 48 + Math.random() * 42))
      window.track = (name, count, pad = 0) => {
        for (let at = 0; at < count; at += 1) window.player.track('Probe', { id: `${name} ${at}`, pad: random(pad) })
      }
      await window.player.login()
    },
    [sandbox.url, events] as const,
  )
}

async function openTab(events?: EventOptions): Promise<Page> {
  const page = await site.open(context)
  await start(page, events)
  return page
}

const track = (page: Where, name: string, count: number, pad = 0) =>
  page.evaluate(([name, count, pad]) => window.track(name, count, pad), [name, count, pad] as const)
const persisted = (page: Where) => page.evaluate(() => window.player.persisted())
const flush = (page: Where) => page.evaluate(() => window.player.flush())
const stats = (page: Where) => page.evaluate(() => window.player.stats())
const errors = (page: Where) => page.evaluate(() => window.errors)
const dropped = (page: Where) => page.evaluate(() => window.dropped)
const ids = (name: string, count: number) => times(count, (at) => `${name} ${at}`)
const idOf = (event: unknown) => (event as { payload: { id: string } }).payload.id
const received = () => sandbox.events().map(({ event }) => idOf(event))

/** Waits until the service has these, each once, and nothing else. */
async function arriveOnce(expected: string[], timeout = 12_000): Promise<void> {
  await vi.waitFor(() => expect(new Set(received())).toEqual(new Set(expected)), { timeout, interval: 50 })
  expect(received().sort()).toEqual([...expected].sort())
}

/** What the store has under the events' keys. */
const storedKeys = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const request = indexedDB.open('player-data')
        request.onerror = () => reject(request.error)
        request.onsuccess = () => {
          const all = request.result.transaction('values').objectStore('values').getAllKeys()
          all.onsuccess = () => {
            request.result.close()
            resolve((all.result as string[]).filter((key) => key.includes('/events/')))
          }
        }
      }),
  )

describe('a full disk', () => {
  /** A page whose storage is so small. Set before the first use: Chromium asks for the quota when it opens a database, and then for 30 s not again. */
  async function openLimited(quotaSize: number): Promise<Page> {
    const page = await site.open(context)
    const session = await context.newCDPSession(page)
    await session.send('Storage.overrideQuotaForOrigin', { origin: site.url, quotaSize })
    return page
  }

  it('while the service is away: the oldest ordinary events go, the critical and the newest stay, and all that is kept arrives', async () => {
    const page = await openLimited(400_000)
    const up = sandbox.addFault({ kind: 'drop', when: 'before', path: '/v1/events' })
    await start(page, { intervalMs: NEVER_MS })
    await page.evaluate(() => window.player.track('Probe', { id: 'critical' }, { priority: 'critical' }))
    await persisted(page)
    for (const round of times(40, (at) => at)) {
      await track(page, `round ${round}`, 40, 400)
      await persisted(page)
    }
    const all = ['critical', ...times(40, (round) => ids(`round ${round}`, 40)).flat()]
    const { dropped: counts, buffered } = await stats(page)
    expect(Object.keys(counts)).toEqual(['overflow'])
    expect(counts.overflow).toBeGreaterThan(0)
    expect(buffered).toBe(all.length - (counts.overflow ?? 0))
    up()
    await flush(page)
    const gone = (await dropped(page)).flatMap(({ events }) => events.map(idOf))
    expect(gone).toHaveLength(counts.overflow ?? 0)
    expect(gone).toEqual(all.slice(1, gone.length + 1)) // the oldest, in order; not the critical one
    await arriveOnce(all.filter((id) => !gone.includes(id)))
  })

  it('with room for nothing at all: the game goes on in memory, and says so once', async () => {
    const page = await openLimited(1)
    await start(page, { intervalMs: NEVER_MS })
    await track(page, 'full', 50, 500)
    await persisted(page)
    await track(page, 'still full', 50, 500)
    await persisted(page)
    expect(await stats(page)).toMatchObject({ durability: 'memory' })
    expectToldOnce(await errors(page))
    await flush(page)
    const lost = (await dropped(page)).flatMap(({ events }) => events.map(idOf))
    expect(Object.keys((await stats(page)).dropped).filter((reason) => reason !== 'overflow')).toEqual([])
    await arriveOnce([...ids('full', 50), ...ids('still full', 50)].filter((id) => !lost.includes(id)))
    expect(received().length).toBeGreaterThan(0)
  })
})

describe('no IndexedDB that works', () => {
  async function openWith(script: () => void, events?: EventOptions): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', (error) => site.problems.push(String(error)))
    await page.addInitScript(script)
    await page.goto(site.url)
    await start(page, events)
    return page
  }

  /** Login, events and their delivery, whatever the storage does. */
  async function works(page: Where): Promise<void> {
    await track(page, 'one', 30)
    await persisted(page)
    await track(page, 'two', 30)
    await arriveOnce([...ids('one', 30), ...ids('two', 30)])
    await vi.waitFor(async () => expect(await stats(page)).toMatchObject({ delivered: 60, buffered: 0, dropped: none }))
  }

  it('missing: localStorage in its place, which is weak, and outlives the page', async () => {
    const remove = () => Object.defineProperty(window, 'indexedDB', { value: undefined })
    const page = await openWith(remove)
    await works(page)
    expect(await stats(page)).toMatchObject({ durability: 'weak' })
    expect(await errors(page)).toEqual([])
    const gone = await openWith(remove, { intervalMs: NEVER_MS })
    await track(gone, 'gone', 10)
    await persisted(gone)
    await gone.close()
    await openWith(remove)
    await arriveOnce([...ids('one', 30), ...ids('two', 30), ...ids('gone', 10)])
  })

  it('missing, and localStorage full: in memory, and it says so', async () => {
    await context.addInitScript(() => Object.defineProperty(window, 'indexedDB', { value: undefined }))
    const page = await site.open(context)
    await page.evaluate(() => {
      localStorage.setItem('others', 'x'.repeat(5_242_870 - 'others'.length))
    })
    await start(page)
    await works(page)
    expect(await stats(page)).toMatchObject({ durability: 'memory' })
    expectToldOnce(await errors(page))
  })

  it('whose open never answers: in memory, told', async () => {
    const page = await openWith(() => {
      IDBFactory.prototype.open = () => ({}) as IDBOpenDBRequest
    })
    await works(page)
    expect(await stats(page)).toMatchObject({ durability: 'memory' })
    expectToldOnce(await errors(page))
  })

  it('whose open answers late: what was tracked before moves over to the disk', async () => {
    const page = await context.newPage()
    await page.addInitScript(() => {
      const { open } = IDBFactory.prototype
      IDBFactory.prototype.open = function (...args) {
        const late = {} as IDBOpenDBRequest
        setTimeout(() => {
          const real = open.apply(this, args)
          for (const name of ['onupgradeneeded', 'onsuccess', 'onerror'] as const) {
            real[name] = (event: Event) => {
              Object.defineProperty(late, 'result', { value: real.result, configurable: true })
              late[name]?.call(real, event as never)
            }
          }
        }, 5000)
        return late
      }
      // Storing is tried again every 30 s: here sooner.
      const { setTimeout: real } = window
      window.setTimeout = ((run: () => void, ms: number) => real(run, ms === 30_000 ? 3000 : ms)) as typeof setTimeout
    })
    await page.goto(site.url)
    await page.evaluate((baseUrl) => {
      const signer = PlayerData.developmentSigner({ secret: 'dev-secret' })
      window.player = PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer, deviceId: 'device-1' })
      for (let at = 0; at < 20; at += 1) window.player.track('Probe', { id: `early ${at}` })
    }, sandbox.url)
    await vi.waitFor(async () => expect((await stats(page)).durability).toBe('memory'), { timeout: 8000 })
    await vi.waitFor(async () => expect((await stats(page)).durability).toBe('disk'), { timeout: 8000 })
    await page.close()
    const next = await openTab()
    await arriveOnce(ids('early', 20))
    expect(await stats(next)).toMatchObject({ delivered: 20, dropped: none })
  })

  it('whose open throws: in memory, told', async () => {
    const page = await openWith(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      }
    })
    await works(page)
    expect(await stats(page)).toMatchObject({ durability: 'memory' })
    expectToldOnce(await errors(page))
  })

  it('whose open fails, as in a private window: in memory, told', async () => {
    const page = await openWith(() => {
      IDBFactory.prototype.open = () => {
        const request = {
          error: new DOMException('A mutation operation was attempted.', 'InvalidStateError'),
        } as unknown as IDBOpenDBRequest
        setTimeout(() => request.onerror?.(new Event('error')))
        return request
      }
    })
    await works(page)
    expect(await stats(page)).toMatchObject({ durability: 'memory' })
    expectToldOnce(await errors(page))
  })

  it('blocked by a page that holds an upgrade open: in memory, told', async () => {
    const holder = await context.newPage()
    await holder.goto(`${site.url}/empty`)
    await holder.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('player-data', 1)
          request.onupgradeneeded = () => {
            const values = request.result.createObjectStore('values')
            const stay = () => {
              values.get('').onsuccess = stay // keeps the upgrade from ending
            }
            stay()
            resolve()
          }
        }),
    )
    const page = await openTab()
    await works(page)
    expect(await stats(page)).toMatchObject({ durability: 'memory' })
    expectToldOnce(await errors(page))
  })

  it('made by something else, without our object store: recovers, or goes on in memory and says so', async () => {
    const other = await context.newPage()
    await other.goto(`${site.url}/empty`)
    await other.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('player-data', 1)
          request.onsuccess = () => {
            request.result.close()
            resolve()
          }
        }),
    )
    const page = await openTab()
    await works(page)
    const { durability } = await stats(page)
    if (durability === 'disk') expect(await errors(page)).toEqual([])
    else expectToldOnce(await errors(page))
  })

  it('of a newer version of this package: its database is used as it is', async () => {
    const other = await context.newPage()
    await other.goto(`${site.url}/empty`)
    await other.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('player-data', 7)
          request.onupgradeneeded = () => request.result.createObjectStore('values')
          request.onsuccess = () => {
            request.result.close()
            resolve()
          }
        }),
    )
    const page = await openTab()
    await works(page)
    expect(await stats(page)).toMatchObject({ durability: 'disk' })
  })
})

function expectToldOnce(told: { code: string; message: string }[]): void {
  expect(told).toEqual([{ code: 'storage', message: expect.any(String) }])
}

describe('a sandboxed frame', () => {
  let outer: Server
  beforeAll(async () => {
    outer = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" src="${site.url}"></iframe>`)
    })
    await new Promise<void>((resolve) => outer.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => outer.close())

  it('where every storage and lock is forbidden: login, track and delivery work, in memory', async () => {
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(`http://127.0.0.1:${(outer.address() as AddressInfo).port}`)
    const frame = page.frames()[1] as Frame
    const forbidden = await frame.evaluate(() => {
      const attempts = [() => localStorage, () => sessionStorage, () => indexedDB.open('x')]
      return attempts.map((attempt) => {
        try {
          return String(attempt())
        } catch (error) {
          return (error as Error).name
        }
      })
    })
    expect(forbidden).toEqual(['SecurityError', 'SecurityError', 'SecurityError'])
    await start(frame)
    await track(frame, 'framed', 30)
    await persisted(frame)
    await track(frame, 'later', 30)
    await arriveOnce([...ids('framed', 30), ...ids('later', 30)])
    await vi.waitFor(async () => expect(await stats(frame)).toMatchObject({ delivered: 60, durability: 'memory', dropped: none }))
    expectToldOnce(await errors(frame))
    expect(problems).toEqual([])
  })
})

describe('the journal', () => {
  /** A tab whose events never reach IndexedDB, and that goes: the journal in localStorage is all that is left of them. */
  async function leaveJournal(name: string): Promise<void> {
    const page = await context.newPage()
    await page.addInitScript(() => {
      const { transaction } = IDBDatabase.prototype
      IDBDatabase.prototype.transaction = function (names, mode, options) {
        if (mode === 'readwrite' && window.track !== undefined && window.player.session) throw new DOMException('no', 'UnknownError')
        return transaction.call(this, names, mode, options)
      }
    })
    await page.goto(site.url)
    await start(page, { intervalMs: NEVER_MS })
    await track(page, name, 20)
    await page.goto(`${site.url}/empty`)
    expect(await storedKeys(page)).toEqual([])
    expect(await page.evaluate(() => localStorage.getItem('player-data/journal'))).toContain(name)
    await page.close()
  }

  it('of a tab that could store nothing: the next start takes it over, once', async () => {
    await leaveJournal('kept')
    const page = await openTab()
    await arriveOnce(ids('kept', 20))
    expect(await page.evaluate(() => localStorage.getItem('player-data/journal'))).toBeNull()
    await page.reload()
    await start(page)
    await track(page, 'more', 5)
    await arriveOnce([...ids('kept', 20), ...ids('more', 5)])
  })

  it('of another studio on the same page: left alone', async () => {
    await leaveJournal('kept')
    const other = await site.open(context)
    await other.evaluate(async (baseUrl) => {
      const signer = PlayerData.developmentSigner({ secret: 'dev-secret' })
      const player = PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer, deviceId: 'device-2' })
      await player.login()
      player.track('Probe', { id: 'other' })
      await player.persisted()
      await player.flush()
    }, sandbox.url)
    await other.close()
    await openTab()
    await arriveOnce(['other', ...ids('kept', 20)])
  })
})

describe('a database deleted under us', () => {
  it('by the browser: what comes later is stored and delivered, and nothing throws', async () => {
    const page = await openTab({ intervalMs: NEVER_MS })
    await track(page, 'before', 20)
    await persisted(page)
    const session = await context.newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin: site.url, storageTypes: 'indexeddb' })
    await track(page, 'after', 20)
    await persisted(page)
    await vi.waitFor(async () => expect(await storedKeys(page)).toHaveLength(1), { timeout: 5000 })
    expect(await stats(page)).toMatchObject({ durability: 'disk' })
    await flush(page)
    await arriveOnce(ids('after', 20))
    // What is gone is said to be gone, not counted as delivered.
    expect(await stats(page)).toMatchObject({ delivered: 20, buffered: 0, dropped: { unreadable: 20 } })
  })

  it('while tracking goes on: no call throws, and nothing is counted twice', async () => {
    const page = await openTab({ intervalMs: 50 })
    const session = await context.newCDPSession(page)
    for (const round of times(8, (at) => at)) {
      await track(page, `round ${round}`, 60)
      if (round % 2 === 1) await session.send('Storage.clearDataForOrigin', { origin: site.url, storageTypes: 'indexeddb' })
    }
    await track(page, 'last', 10)
    await vi.waitFor(() => expect(received()).toEqual(expect.arrayContaining(ids('last', 10))), { timeout: 8000 })
    await vi.waitFor(async () => expect((await stats(page)).buffered).toBe(0), { timeout: 5000 })
    const { delivered, dropped: counts } = await stats(page)
    expect(delivered + (counts.unreadable ?? 0)).toBe(490)
    expect(sandbox.stats()).toMatchObject({ distinct: delivered, duplicates: 0 })
  })

  it('by another page: the request is not held up for ever, and tracking goes on', async () => {
    const page = await openTab()
    await track(page, 'before', 20)
    await arriveOnce(ids('before', 20))
    const other = await context.newPage()
    await other.goto(`${site.url}/empty`)
    const outcome = await other.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const request = indexedDB.deleteDatabase('player-data')
          request.onsuccess = () => resolve('deleted')
          setTimeout(() => resolve('held up'), 5000)
        }),
    )
    expect(outcome).toBe('deleted')
    await track(page, 'after', 20)
    await persisted(page)
    await arriveOnce([...ids('before', 20), ...ids('after', 20)])
    expect(await stats(page)).toMatchObject({ durability: 'disk', dropped: none })
  })
})

describe('a read that fails', () => {
  it('is no damage: nothing is dropped, and it is sent when reading works again', async () => {
    const page = await openTab({ intervalMs: NEVER_MS })
    await track(page, 'kept', 20)
    await persisted(page)
    await page.evaluate(() => {
      const { get } = IDBObjectStore.prototype
      IDBObjectStore.prototype.get = () => {
        throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError')
      }
      Object.assign(window, { repair: () => Object.assign(IDBObjectStore.prototype, { get }) })
    })
    await flush(page)
    expect(await stats(page)).toMatchObject({ buffered: 20, delivered: 0, dropped: none })
    await page.evaluate(() => (window as unknown as { repair(): void }).repair())
    await flush(page)
    await arriveOnce(ids('kept', 20))
  })
})

describe('damaged records', () => {
  it.each(['a number', 'a cut text', 'nothing'])('one is %s: it alone is dropped, the others arrive', async (damage) => {
    const gone = await openTab({ intervalMs: NEVER_MS })
    for (const round of [0, 1, 2]) {
      await track(gone, `round ${round}`, 20)
      await persisted(gone)
    }
    await gone.close()
    const other = await context.newPage()
    await other.goto(`${site.url}/empty`)
    const keys = await storedKeys(other)
    expect(keys).toHaveLength(3)
    const middle = keys.find((key) => /[/]20[/]o[/]20[/]/.test(key)) as string
    await other.evaluate(
      ([key, damage]) =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('player-data')
          request.onsuccess = () => {
            const transaction = request.result.transaction('values', 'readwrite')
            const values = transaction.objectStore('values')
            const read = values.get(key)
            read.onsuccess = () => {
              if (damage === 'a number') values.put(42, key)
              if (damage === 'a cut text') values.put(String(read.result).slice(0, -9), key)
              if (damage === 'nothing') values.put(undefined, key)
            }
            transaction.oncomplete = () => {
              request.result.close()
              resolve()
            }
          }
        }),
      [middle, damage] as const,
    )
    const next = await openTab()
    await arriveOnce([...ids('round 0', 20), ...ids('round 2', 20)])
    await vi.waitFor(async () => expect(await dropped(next)).toEqual([{ reason: 'unreadable', events: expect.any(Array) }]))
    expect(await stats(next)).toMatchObject({ delivered: 40, buffered: 0, dropped: { unreadable: 20 } })
    await vi.waitFor(async () => expect(await storedKeys(next)).toEqual([]), { timeout: 5000 })
  })

  it('a key and a value of a shape that is not ours: neither stops the start', async () => {
    const first = await openTab({ intervalMs: NEVER_MS })
    await track(first, 'good', 20)
    await persisted(first)
    const [good] = (await storedKeys(first)) as [string]
    await first.evaluate(
      (key) =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('player-data')
          request.onsuccess = () => {
            const transaction = request.result.transaction('values', 'readwrite')
            const values = transaction.objectStore('values')
            const start = key.slice(0, key.indexOf('/events/') + '/events/'.length)
            values.put('[]', `${start}nonsense`)
            values.put({ __proto__: { polluted: true } }, `${start}player/lane/x/o/-1/NaN/`)
            transaction.oncomplete = () => {
              request.result.close()
              resolve()
            }
          }
        }),
      good,
    )
    await first.close()
    const next = await openTab()
    await arriveOnce(ids('good', 20))
    await vi.waitFor(async () => expect(await storedKeys(next)).toEqual([]), { timeout: 5000 })
    expect(await stats(next)).toMatchObject({ delivered: 20, dropped: { unreadable: 2 } })
  })
})
