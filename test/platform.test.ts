// The parts that src/platform/ makes hosts of, each alone. The whole of a host is walked in test/hosts/.

import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Area, areaJournal, areaStorage } from '../src/platform/area.ts'
import { bindCocos } from '../src/platform/cocos.ts'
import { exchange, readHeaders } from '../src/platform/exchange.ts'
import { minigamePlatform } from '../src/platform/minigame.ts'
import { bestRandom } from '../src/platform/random.ts'
import type { HttpRequest } from '../src/port.ts'

const request: HttpRequest = { method: 'GET', url: 'http://127.0.0.1/', headers: {}, timeoutMs: 30 }

describe('an exchange', () => {
  it('ends in time even where the host forgets to, and gives the request up', async () => {
    const abort = vi.fn()
    await expect(exchange(request, undefined, () => abort)).rejects.toMatchObject({ code: 'timeout' })
    expect(abort).toHaveBeenCalledOnce()
  })

  it('takes the first outcome and is deaf to the rest', async () => {
    const reply = { status: 200, headers: {}, body: '' }
    const done = exchange(request, undefined, (resolve, reject) => {
      resolve(reply)
      reject(new Error('late'))
      return () => reject(new Error('aborted'))
    })
    await expect(done).resolves.toBe(reply)
  })

  it('can be cancelled, and lets go of the cancel when it is over', async () => {
    const runs = new Set<() => void>()
    const onCancel = (run: () => void) => {
      runs.add(run)
      return () => void runs.delete(run)
    }
    const pending = exchange({ ...request, timeoutMs: 10_000 }, onCancel, () => () => {})
    for (const run of runs) run()
    await expect(pending).rejects.toThrow('Cancelled')
    expect(runs.size).toBe(0)
  })

  it('fails where the host throws at once', async () => {
    const broken = exchange(request, undefined, () => {
      throw new TypeError('no')
    })
    await expect(broken).rejects.toThrow('no')
  })
})

describe('headers', () => {
  it('have names in lower case, trimmed values, and none that is empty', () => {
    expect(
      readHeaders([
        ['Date', ' Sun, 01 Mar 2026 12:00:00 GMT\r'],
        ['Retry-After', 7],
        ['Age', ''],
        ['X-None', null],
        ['X-Undefined', undefined],
        ['', '  '],
      ]),
    ).toEqual({ date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'retry-after': '7' })
  })
})

describe('a small synchronous store', () => {
  const areaOf = (values: Map<string, string>, parts: Partial<Area> = {}): Area => ({
    get: (key) => values.get(key) ?? '',
    set: (key, text) => void values.set(key, text),
    remove: (key) => void values.delete(key),
    keys: () => [...values.keys()],
    ...parts,
  })

  it('keeps JSON values; what is empty is absent', async () => {
    const storage = areaStorage(areaOf(new Map()))
    await storage.write({
      set: [
        ['a', 'text\u0000'],
        ['b', { deep: [0, null] }],
        ['c', 0],
      ],
    })
    expect(await storage.get(['a', 'b', 'c', 'none'])).toEqual(['text\u0000', { deep: [0, null] }, 0, undefined])
  })

  it('sets before it deletes, so that a crash in between leaves too much and not too little', async () => {
    const order: string[] = []
    const values = new Map<string, string>()
    const area = areaOf(values, {
      set(key, text) {
        order.push(`set ${key}`)
        values.set(key, text)
      },
      remove: (key) => order.push(`remove ${key}`),
    })
    await areaStorage(area).write({
      delete: ['old', 'both'],
      set: [
        ['new', 1],
        ['both', 2],
      ],
    })
    expect(order).toEqual(['set new', 'set both', 'remove old'])
  })

  it('fails where the host only seems to write', async () => {
    const silent = areaOf(new Map(), { set: () => {} })
    await expect(areaStorage(silent).write({ set: [['a', 1]] })).rejects.toThrow('did not keep')
  })

  it('has a journal that is gone when it is empty', () => {
    const values = new Map<string, string>()
    const journal = areaJournal(areaOf(values))
    expect(journal.read()).toBeNull()
    journal.write('{"lane":[]}')
    expect(journal.read()).toBe('{"lane":[]}')
    journal.write('')
    expect([journal.read(), values.size]).toEqual([null, 0])
  })
})

describe('random bytes', () => {
  it('are the host’s own where it has them', () => {
    expect(bestRandom().randomIsWeak).toBeUndefined()
  })

  it('are said to be weak where it has none, and differ between two starts with the same seed', () => {
    vi.stubGlobal('crypto', undefined)
    let seed = 0
    vi.spyOn(Math, 'random').mockImplementation(() => {
      seed = (seed * 16807 + 1) % 2147483647
      return seed / 2147483647
    })
    vi.useFakeTimers({ now: 1_800_000_000_000 })
    const [one, other] = [0, 1].map((minute) => {
      seed = 42
      vi.setSystemTime(1_800_000_000_000 + minute * 60_001)
      return bestRandom().random(16)
    })
    expect(bestRandom().randomIsWeak).toBe(true)
    expect(one).not.toEqual(other)
  })
})

describe('the host’s kind', () => {
  it('is no minigame on a web page in WeChat, whose wx cannot send', () => {
    vi.stubGlobal('wx', { config() {}, onMenuShareTimeline() {} })
    expect(minigamePlatform()).toBeUndefined()
  })

  it('of the engine adds nothing on the web, where the page tells', () => {
    const game = { on: vi.fn(), off: vi.fn() }
    expect(bindCocos({ game, sys: { isNative: false, isMobile: true, os: 'iOS', osVersion: '17' } })).toEqual({})
    expect(game.on).not.toHaveBeenCalled()
  })
})

it('the network of a native build is not asked where nobody can tell', () => {
  vi.useFakeTimers()
  const game = { on: vi.fn(), off: vi.fn() }
  const resume = vi.fn()
  bindCocos({ game, sys: { isNative: true, isMobile: true, os: 'iOS', osVersion: '17' } }).onResume?.(resume)
  expect(() => vi.advanceTimersByTime(20_000)).not.toThrow()
  expect(resume).not.toHaveBeenCalled()
})

it('the network’s return wakes a native build, once', () => {
  vi.useFakeTimers()
  let network = 1
  vi.stubGlobal('jsb', { device: { getNetworkType: () => network } })
  const resume = vi.fn()
  const stop = bindCocos({ game: { on() {}, off() {} }, sys: { isNative: true, isMobile: true, os: 'iOS', osVersion: '17' } }).onResume?.(
    resume,
  )
  network = 0
  vi.advanceTimersByTime(10_000)
  network = 2
  vi.advanceTimersByTime(20_000)
  expect(resume).toHaveBeenCalledOnce()
  stop?.()
  expect(vi.getTimerCount()).toBe(0)
})

it('a minigame whose system is not told has the name of its platform', () => {
  const none = () => {}
  vi.stubGlobal('wx', { request: none, getStorageSync: none, getSystemInfoSync: () => ({ platform: 'devtools' }) })
  expect(minigamePlatform()?.device?.()).toEqual({ deviceType: 'desktop', osName: 'devtools', osVersion: '' })
})

describe('a full minigame storage', () => {
  it('has the name that makes the buffer make room; another failure has not', async () => {
    const failWith = async (errMsg: string) => {
      const setStorageSync = () => {
        throw { errMsg }
      }
      const none = () => {}
      vi.stubGlobal('wx', { request: none, getStorageSync: () => '', setStorageSync, removeStorageSync: none })
      const platform = minigamePlatform()
      return platform?.storage.write({ set: [['a', 1]] }).catch((error) => error.name)
    }
    expect(await failWith('setStorage:fail exceed storage max size 10Mb')).toBe('QuotaExceededError')
    expect(await failWith('setStorage:fail jsapi has no permission')).toBe('Error')
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
