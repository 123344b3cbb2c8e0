import { describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../src/memory.ts'
import type { KeyValue } from '../../src/port.ts'
import type { Sandbox } from '../../src/sandbox/index.ts'
import { start, times } from '../session/start.ts'

const DAY = 86_400_000
const idsAt = (sandbox: Sandbox) => sandbox.events().map(({ event }) => (event.payload as { adId: string }).adId)
const ids = (count: number, prefix = 'a') => times(count, (at) => `${prefix}${at}`)

/** Sends nothing by itself. */
const still = { intervalMs: 1e9, batchEvents: 1e9, batchBytes: 1e9 }

/** Counts what the storage is asked to do, and can fail. */
function countingStorage() {
  const inner = memoryStorage()
  const seen = { calls: 0, bytes: 0, broken: undefined as Error | undefined, hang: false }
  const storage: KeyValue = {
    durability: 'disk',
    async get(keys) {
      seen.calls += 1
      return inner.get(keys)
    },
    async write(change) {
      seen.calls += 1
      if (seen.hang) await new Promise(() => {})
      if (seen.broken && (change.set ?? []).length > 0) throw seen.broken
      for (const [key, value] of change.set ?? []) seen.bytes += key.length + JSON.stringify(value).length
      return inner.write(change)
    },
    async keys(prefix) {
      seen.calls += 1
      return inner.keys(prefix)
    },
  }
  return { storage, seen, inner }
}

describe('a full buffer', () => {
  it('lets the oldest ordinary events go, and says which', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: { bufferEvents: 100 } })
    await player.login()
    browser.online = false
    const dropped: string[] = []
    player.on('dropped', ({ reason, events }) => {
      expect(reason).toBe('overflow')
      dropped.push(...events.map((event) => (event as { payload: { adId: string } }).payload.adId))
    })
    for (const adId of ids(250)) player.track('Ad_Impression', { adId })
    const { buffered } = player.stats()
    expect(buffered).toBeLessThanOrEqual(100)
    expect(buffered).toBeGreaterThan(85)
    expect(player.stats().dropped).toEqual({ overflow: 250 - buffered })
    await vi.waitFor(() => expect(dropped).toEqual(ids(250 - buffered)))
    browser.online = true
    await player.flush()
    expect(idsAt(sandbox)).toEqual(ids(250).slice(-buffered))
  })

  it('keeps critical events to the last', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: { bufferEvents: 50 } })
    await player.login()
    browser.online = false
    for (const adId of ids(20, 'c')) player.track('Ad_Impression', { adId }, { priority: 'critical' })
    for (const adId of ids(200)) player.track('Ad_Impression', { adId })
    browser.online = true
    await player.flush()
    expect(idsAt(sandbox).filter((id) => id.startsWith('c'))).toEqual(ids(20, 'c'))
    expect(idsAt(sandbox).at(-1)).toBe('a199')
  })

  it('is full by bytes, too', async () => {
    const { browser } = await start()
    const { player } = browser.open({ events: { bufferBytes: 20_000 } })
    await player.login()
    browser.online = false
    for (const text of times(100, () => 'x'.repeat(1000))) player.track('Own', { text })
    expect(player.stats().bufferedBytes).toBeLessThanOrEqual(20_000)
    expect(player.stats().buffered).toBeGreaterThan(10)
  })

  it('holds for all tabs together', async () => {
    const { browser } = await start()
    const [one, two] = [browser.open({ events: { bufferEvents: 200 } }), browser.open({ events: { bufferEvents: 200 } })]
    await one.player.login()
    await two.player.login()
    browser.online = false
    for (const adId of ids(150)) one.player.track('Ad_Impression', { adId })
    await one.player.persisted()
    await browser.elapse(10_000) // two looks around
    await new Promise((resolve) => setTimeout(resolve, 20))
    for (const adId of ids(150, 'b')) two.player.track('Ad_Impression', { adId })
    expect(one.player.stats().buffered + two.player.stats().buffered).toBeLessThanOrEqual(200)
  })

  it('does not grow while the game never lets go of the thread', async () => {
    const { browser } = await start()
    const { player } = browser.open({ events: { bufferEvents: 1000 } })
    for (const at of times(20_000, (turn) => turn)) player.track('Own', { at })
    expect(player.stats().buffered).toBeLessThanOrEqual(1000)
    expect(player.stats().buffered + (player.stats().dropped.overflow ?? 0)).toBe(20_000)
  })
})

describe('old events', () => {
  it('expire after their time, and are told', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    browser.online = false
    player.track('Ad_Impression', { adId: 'old' })
    await player.persisted()
    await browser.elapse(8 * DAY)
    sandbox.configure({ clockOffsetMs: 8 * DAY })
    player.track('Ad_Impression', { adId: 'new' })
    browser.online = true
    await player.login()
    await player.flush()
    expect(idsAt(sandbox)).toEqual(['new'])
    expect(player.stats().dropped).toEqual({ expired: 1 })
  })

  it('do not expire by a clock that nobody has confirmed', async () => {
    const { sandbox, browser } = await start()
    const first = browser.open()
    await first.player.login()
    browser.online = false
    first.player.track('Ad_Impression', { adId: 'kept' })
    await first.player.persisted()
    first.kill()
    browser.clockOffsetMs = 30 * DAY // the battery died, and the clock with it
    browser.online = true
    const second = browser.open({ events: { intervalMs: 20 } })
    await second.player.login()
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(['kept']))
    expect(second.player.stats().dropped).toEqual({})
  })
})

describe('the work of track', () => {
  it('is the same however many wait: storage calls and bytes, not time', async () => {
    const { storage, seen } = countingStorage()
    const { browser } = await start({}, { storage })
    const { player } = browser.open({ events: { ...still, bufferEvents: 1e6, bufferBytes: 1e9 } })
    await player.login()
    browser.online = false
    const workOf = async () => {
      const before = { ...seen }
      for (const adId of ids(200, 'same-')) player.track('Ad_Impression', { adId })
      await player.persisted()
      return { calls: seen.calls - before.calls, bytes: seen.bytes - before.bytes }
    }
    const fill = async (count: number) => {
      for (const adId of ids(count)) player.track('Ad_Impression', { adId })
      await player.persisted()
    }
    const empty = await workOf()
    await fill(1000)
    const thousand = await workOf()
    await fill(20_000)
    const many = await workOf()
    expect(thousand.calls).toBe(empty.calls)
    expect(many.calls).toBe(empty.calls)
    expect(many.bytes / empty.bytes).toBeLessThan(1.05)
    expect(player.stats().buffered).toBe(21_600)
  })

  it('writes all that came in one tick in one go', async () => {
    const { storage, seen } = countingStorage()
    const { browser } = await start({}, { storage })
    const { player } = browser.open({ events: still })
    await player.login()
    browser.online = false
    const before = seen.calls
    for (const adId of ids(1000)) player.track('Ad_Impression', { adId })
    await player.persisted()
    expect(seen.calls - before).toBe(1)
  })
})

describe('a storage that fails', () => {
  it('keeps events in memory, says so once, and stores them when it works again', async () => {
    const { storage, seen, inner } = countingStorage()
    const { sandbox, browser } = await start({}, { storage })
    const { player } = browser.open()
    await player.login()
    browser.online = false
    const errors: unknown[] = []
    player.on('error', (error) => errors.push(error))
    seen.broken = new Error('I/O error')
    for (const adId of ids(150)) player.track('Ad_Impression', { adId })
    await player.persisted()
    for (const adId of ids(150, 'b')) player.track('Ad_Impression', { adId })
    await player.persisted()
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'storage' })
    expect(player.stats()).toMatchObject({ buffered: 300, durability: 'memory', dropped: {} })
    seen.broken = undefined
    await browser.elapse(30_000)
    await vi.waitFor(() => expect(player.stats().durability).toBe('disk'))
    expect((await inner.keys('')).filter((key) => key.includes('/events/')).length).toBeGreaterThan(2)
    browser.online = true
    await player.flush()
    expect(idsAt(sandbox)).toEqual([...ids(150), ...ids(150, 'b')])
  })

  it('delivers from memory what it cannot store', async () => {
    const { storage, seen } = countingStorage()
    const { sandbox, browser } = await start({}, { storage })
    const { player } = browser.open()
    await player.login()
    seen.broken = new Error('I/O error')
    for (const adId of ids(5)) player.track('Ad_Impression', { adId })
    expect(await player.flush()).toEqual({ delivered: 5, remaining: 0 })
    expect(idsAt(sandbox)).toEqual(ids(5))
  })

  it('makes room on a full disk: the oldest ordinary events go', async () => {
    const { storage, inner } = countingStorage()
    const limited: KeyValue = {
      ...storage,
      async write(change) {
        const keys = await inner.keys('')
        const left = keys.filter((key) => !change.delete?.includes(key) && key.includes('/events/')).length
        const added = (change.set ?? []).filter(([key]) => key.includes('/events/')).length
        if (left + added > 3) throw Object.assign(new Error('full'), { name: 'QuotaExceededError' })
        return inner.write(change)
      },
    }
    const { sandbox, browser } = await start({}, { storage: limited })
    const { player } = browser.open()
    await player.login()
    browser.online = false
    for (const batch of ['a', 'b', 'c', 'd', 'e']) {
      for (const adId of ids(10, batch)) player.track('Ad_Impression', { adId })
      await player.persisted()
    }
    expect(player.stats()).toMatchObject({ buffered: 30, dropped: { overflow: 20 }, durability: 'disk' })
    browser.online = true
    await player.flush()
    expect(idsAt(sandbox)).toEqual(['c', 'd', 'e'].flatMap((batch) => ids(10, batch)))
  })

  it('that hangs does not hang the game', async () => {
    const { storage, seen } = countingStorage()
    const { sandbox, browser } = await start({}, { storage })
    const { player } = browser.open()
    await player.login()
    seen.hang = true
    for (const adId of ids(5)) player.track('Ad_Impression', { adId })
    const stored = player.persisted()
    await browser.elapse(3000)
    await stored
    expect(player.stats()).toMatchObject({ buffered: 5, durability: 'memory' })
    await player.flush()
    expect(idsAt(sandbox)).toEqual(ids(5))
  })

  it('has one record that cannot be read: it alone is set aside', async () => {
    const { sandbox, browser } = await start()
    const first = browser.open()
    await first.player.login()
    browser.online = false
    for (const batch of ['a', 'b', 'c']) {
      for (const adId of ids(10, batch)) first.player.track('Ad_Impression', { adId })
      await first.player.persisted()
    }
    first.kill()
    const keys = (await browser.storage.keys('')).filter((key) => key.includes('/events/'))
    await browser.storage.write({ set: [[keys[1] as string, '[{"torn":']] })
    browser.online = true
    const { player } = browser.open({ events: { intervalMs: 20 } })
    await player.login()
    await vi.waitFor(() => expect(sandbox.events()).toHaveLength(20))
    await vi.waitFor(() => expect(player.stats()).toMatchObject({ dropped: { unreadable: 10 }, delivered: 20, buffered: 0 }))
  })

  it.each([7, null, {}, [], { body: 7 }])('holds %j where events should be: set aside', async (junk) => {
    const { sandbox, browser } = await start()
    const first = browser.open()
    first.player.track('Ad_Impression', { adId: 'a' })
    await first.player.persisted()
    first.kill()
    const keys = (await browser.storage.keys('')).filter((key) => key.includes('/events/'))
    await browser.storage.write({ set: keys.map((key) => [key, junk]) })
    const { player } = browser.open({ events: { intervalMs: 20 } })
    await player.login()
    player.track('Ad_Impression', { adId: 'b' })
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(['b']))
    expect(player.stats().dropped).toEqual({ unreadable: 1 })
  })
})
