// A browser in this process: tabs that share a storage, locks and messages as those of one site do, and talk to a real sandbox by
// Node's fetch. Its clock can be wrong, its network can be pulled, and it counts what a tab has left behind.

import { setTimeout as sleep } from 'node:timers/promises'
import { memoryStorage } from '../src/memory.ts'
import type { PlayerDataOptions } from '../src/options.ts'
import { fetchHttp } from '../src/platform/fetch.ts'
import { createPlayer, type PlayerData } from '../src/player.ts'
import type { HttpRequest, KeyValue, Platform } from '../src/port.ts'
import type { Sandbox } from '../src/sandbox/index.ts'
import { developmentSigner } from '../src/signer.ts'

export interface Tab {
  player: PlayerData
  /** Every request that left, in order. */
  requests: HttpRequest[]
  /** What the tab holds now: timers, listeners, requests under way. */
  held(): { timers: number; listeners: number; requests: number }
  /** The page is shown again. */
  resume(): void
  /** The page is hidden, or goes. */
  hide(leaving?: boolean): void
  /** The tab dies at once: nothing of it runs any more, and its locks are free. */
  kill(): void
}

export interface Browser {
  readonly storage: KeyValue
  /** What is in the synchronous store. */
  journal: string
  /** How far the device's clock is ahead. Setting it is what a user or a bad battery does: no time passes. */
  clockOffsetMs: number
  /** Time passes: the clock moves, and timers that are due run. */
  elapse(ms: number): Promise<void>
  /** Pulled: requests fail as they do without network. */
  online: boolean
  open(options?: Partial<PlayerDataOptions>): Tab
  /** Closes all tabs. */
  close(): Promise<void>
}

interface Timer {
  tab: symbol
  /** In real time, less what was said to have elapsed. */
  dueAt: number
  handle?: NodeJS.Timeout
  run(): void
}

export function createBrowser(sandbox: Pick<Sandbox, 'url'>, parts: Partial<Platform> = {}): Browser {
  const storage = memoryStorage()
  const listeners = new Set<{ tab: symbol; run: (message: string) => void }>()
  const locks = new Map<string, Promise<unknown>>()
  const tabs: Tab[] = []
  const timers = new Set<Timer>()

  async function lock<T>(name: string, waitMs: number, run: () => Promise<T>): Promise<T> {
    const before = locks.get(name) ?? Promise.resolve()
    let free = () => {}
    const mine = new Promise<void>((resolve) => {
      free = resolve
    })
    locks.set(
      name,
      before.then(() => mine),
    )
    // A wait of nothing still lets a free lock be taken.
    const waited = await Promise.race([before, sleep(waitMs || 1, 'late', { ref: false })])
    if (waited === 'late') {
      free()
      throw new Error('the lock was not free in time')
    }
    try {
      return await run()
    } finally {
      free()
    }
  }

  function set(timer: Timer): void {
    clearTimeout(timer.handle)
    timer.handle = setTimeout(
      () => {
        timers.delete(timer)
        timer.run()
      },
      Math.max(0, timer.dueAt - Date.now()),
    )
  }

  const browser: Browser = {
    storage,
    journal: '',
    clockOffsetMs: 0,
    online: true,
    async elapse(ms) {
      browser.clockOffsetMs += ms
      for (const timer of timers) {
        timer.dueAt -= ms
        set(timer)
      }
      await sleep(5)
    },
    open(options = {}) {
      const id = Symbol('tab')
      const requests: HttpRequest[] = []
      const resumes = new Set<() => void>()
      const hides = new Set<(leaving: boolean) => void>()
      let underWay = 0
      let dead = false
      let die = () => {}
      const death = new Promise<never>((_, reject) => {
        die = () => {
          dead = true
          reject(new Error('the tab is dead'))
        }
      })
      death.catch(() => {})
      /** Nothing that a dead tab waits for ever comes back. */
      const alive = <T>(promise: Promise<T>): Promise<T> => promise.then((value) => (dead ? new Promise<T>(() => {}) : value))
      const platform: Platform = {
        async http(request, onCancel) {
          requests.push(request)
          if (!browser.online) throw new TypeError('fetch failed')
          underWay += 1
          try {
            return await alive(fetchHttp(request, onCancel))
          } finally {
            underWay -= 1
          }
        },
        storage: {
          durability: 'disk',
          get: (keys) => alive(storage.get(keys)),
          write: (change) => (dead ? new Promise(() => {}) : alive(storage.write(change))),
          keys: (prefix) => alive(storage.keys(prefix)),
        },
        now: () => Date.now() + browser.clockOffsetMs,
        after(ms, run) {
          const timer: Timer = { tab: id, dueAt: Date.now() + ms, run }
          timers.add(timer)
          set(timer)
          return () => {
            timers.delete(timer)
            clearTimeout(timer.handle)
          }
        },
        random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
        lock: (name, waitMs, run) => lock(name, waitMs, () => Promise.race([run(), death])),
        journal: {
          read: () => browser.journal,
          write(text) {
            if (!dead) browser.journal = text
          },
        },
        onHide(run) {
          hides.add(run)
          return () => void hides.delete(run)
        },
        broadcast: {
          post(message) {
            for (const { tab, run } of listeners) if (tab !== id) setTimeout(run, 0, message)
          },
          listen(run) {
            const listener = { tab: id, run }
            listeners.add(listener)
            return () => void listeners.delete(listener)
          },
        },
        onResume(run) {
          resumes.add(run)
          return () => void resumes.delete(run)
        },
        ...parts,
      }
      const signer = developmentSigner({ secret: 'dev-secret' })
      const tab: Tab = {
        player: createPlayer({ baseUrl: sandbox.url, apiKey: 'dev-key', signer, ...options }, { ...platform, ...options.platform }),
        requests,
        held: () => ({
          timers: [...timers].filter(({ tab }) => tab === id).length,
          listeners: resumes.size + hides.size + [...listeners].filter(({ tab }) => tab === id).length,
          requests: underWay,
        }),
        resume() {
          for (const run of resumes) run()
        },
        hide(leaving = false) {
          for (const run of hides) run(leaving)
        },
        kill() {
          die()
          tabs.splice(tabs.indexOf(tab), 1)
          for (const timer of timers) {
            if (timer.tab !== id) continue
            timers.delete(timer)
            clearTimeout(timer.handle)
          }
        },
      }
      tabs.push(tab)
      return tab
    },
    async close() {
      await Promise.all(tabs.map(({ player }) => player.close()))
    },
  }
  return browser
}
