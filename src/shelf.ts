// Where records are between the call and the disk: in memory until a write has taken them, on the disk after. One write at a time; all
// that has come since the last one goes into it. A storage that fails or hangs keeps nothing from working: records stay in memory, and
// from time to time the write is tried again. Deletes that failed are tried again with it, so that nothing comes back from the dead.

import type { KeyValue, Platform } from './port.ts'

/** A storage that never fails: reads find nothing and writes stay in memory where the host's does not work. */
export interface Shelf extends KeyValue {
  /** Will be written with the next commit. */
  put(key: string, value: unknown): void
  /** Writes all that was put before. Resolves also when that fails: `durable` tells. */
  commit(): Promise<void>
  /** What is not on the disk. */
  unsaved(): [key: string, value: unknown][]
  /** Whether the last write was taken. */
  readonly durable: boolean
}

export interface ShelfDeps {
  storage: KeyValue
  after: Platform['after']
  /** While true, nothing is written: all stays in memory. */
  isPaused?(): boolean
  /** Frees room on a full disk; false when there is nothing left to free. */
  makeRoom?(): Promise<boolean>
  /** The storage has begun to fail. */
  onTrouble(error: unknown): void
}

const PATIENCE_MS = 3000
const RETRY_MS = 30_000

export function createShelf({ storage, after, isPaused = () => false, makeRoom = async () => false, onTrouble }: ShelfDeps): Shelf {
  const fresh = new Map<string, unknown>()
  const dead = new Set<string>()
  let durable = true
  let writing: Promise<void> = Promise.resolve()
  let queued: Promise<void> | undefined
  let cancelRetry = () => {}

  /** A storage that throws at once, or never answers, is one that fails. */
  function patiently<T>(run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = after(PATIENCE_MS, () => reject(new Error(`The storage did not answer within ${PATIENCE_MS} ms.`)))
      Promise.resolve().then(run).then(resolve, reject).then(cancel)
    })
  }

  function fail(error: unknown): void {
    if (durable) onTrouble(error)
    durable = false
    cancelRetry()
    cancelRetry = after(RETRY_MS, () => {
      queue()
    })
  }

  function read<T>(run: () => Promise<T[]>): Promise<T[]> {
    return patiently(run).catch((error) => {
      fail(error)
      return []
    })
  }

  async function write(): Promise<void> {
    const set = [...fresh]
    const gone = [...dead]
    if (set.length + gone.length === 0 || isPaused()) return
    try {
      await patiently(() => storage.write({ set, delete: gone }))
      for (const [key, value] of set) if (fresh.get(key) === value) fresh.delete(key)
      for (const key of gone) dead.delete(key)
      durable = true
    } catch (error) {
      if ((error as Error)?.name === 'QuotaExceededError' && (await makeRoom())) return write()
      fail(error)
    }
  }

  function queue(): Promise<void> {
    if (!queued) {
      queued = writing.then(() => {
        queued = undefined
        return write()
      })
      writing = queued
    }
    return queued
  }

  return {
    durability: storage.durability || 'disk',
    put: (key, value) => void fresh.set(key, value),
    async get(keys) {
      const stored = keys.filter((key) => !fresh.has(key) && !dead.has(key))
      const values = stored.length > 0 ? await read(() => storage.get(stored)) : []
      const found = new Map(stored.map((key, at) => [key, values[at]]))
      return keys.map((key) => (fresh.has(key) ? fresh.get(key) : found.get(key)))
    },
    commit: () => (durable ? queue() : writing),
    write({ set = [], delete: gone = [] }) {
      for (const key of gone) {
        fresh.delete(key)
        dead.add(key)
      }
      for (const [key, value] of set) {
        fresh.set(key, value)
        dead.delete(key)
      }
      return durable ? queue() : writing
    },
    async keys(prefix) {
      const stored = await read(() => storage.keys(prefix))
      return stored.filter((key) => !dead.has(key))
    },
    unsaved: () => [...fresh],
    get durable() {
      return durable
    },
  }
}
