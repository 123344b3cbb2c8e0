// Where records are between the call and the disk: in memory until a write has taken them, on the disk after. One write at a time; all
// that has come since the last one goes into it. A storage that fails or hangs keeps nothing from working: records stay in memory, and
// from time to time the write is tried again. Deletes that failed are tried again with it, so that nothing comes back from the dead.
// A read that fails rejects: what cannot be read now is not gone.

import type { KeyValue, Platform } from './port.ts'

/** A storage whose writes never fail: they stay in memory where the host's does not work. */
export interface Shelf extends KeyValue {
  /** Will be written with the next commit. */
  put(key: string, value: unknown): void
  /** Writes all that was put before. Resolves also when that fails: `durable` tells. */
  commit(): Promise<void>
  /** Whether it is on the disk, as far as is known. */
  isStored(key: string): boolean
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
/** How many times a full disk is asked again, each time with something less on it. */
const MOST_ROOMS = 20

export function createShelf({ storage, after, isPaused = () => false, makeRoom = async () => false, onTrouble }: ShelfDeps): Shelf {
  const fresh = new Map<string, unknown>()
  const dead = new Set<string>()
  let durable = true
  /** It did not answer in time. Until it does, nobody waits for it again. */
  let hangs = false
  let writing: Promise<void> = Promise.resolve()
  let queued: Promise<void> | undefined
  let cancelRetry = () => {}

  /** A storage that throws at once, or does not answer, is one that fails. */
  function patiently<T>(run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error('The storage does not answer.'))
      if (hangs) return late()
      const cancel = after(PATIENCE_MS, () => {
        hangs = true
        late()
      })
      const answered = () => {
        cancel()
        if (hangs) retry() // late, but there
      }
      Promise.resolve().then(run).then(resolve, reject).then(answered)
    })
  }

  function retry(): void {
    cancelRetry()
    hangs = false
    queue()
  }

  function fail(error: unknown): void {
    if (durable) onTrouble(error)
    durable = false
    cancelRetry()
    cancelRetry = after(RETRY_MS, retry)
  }

  function read<T>(run: () => Promise<T>): Promise<T> {
    return patiently(run).catch((error) => {
      if (hangs) fail(error)
      else onTrouble(error)
      throw error
    })
  }

  async function write(rooms = 0): Promise<void> {
    const set = [...fresh]
    const gone = [...dead]
    if (set.length + gone.length === 0) {
      durable = !hangs
      return
    }
    if (isPaused()) return
    try {
      await patiently(() => storage.write({ set, delete: gone }))
      for (const [key, value] of set) if (fresh.get(key) === value) fresh.delete(key)
      for (const key of gone) dead.delete(key)
      durable = true
    } catch (error) {
      if (isFull(error) && rooms < MOST_ROOMS && (await makeRoom())) return write(rooms + 1)
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
      // What is in memory now may be on the disk by the time the disk answers.
      const held = new Map(keys.filter((key) => fresh.has(key)).map((key) => [key, fresh.get(key)]))
      const stored = keys.filter((key) => !held.has(key) && !dead.has(key))
      const values = stored.length > 0 ? await read(() => storage.get(stored)) : []
      stored.forEach((key, at) => void held.set(key, values[at]))
      return keys.map((key) => held.get(key))
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
    isStored: (key) => !fresh.has(key),
    unsaved: () => [...fresh],
    get durable() {
      return durable
    },
  }
}

function isFull(error: unknown): boolean {
  return (error as Error | undefined)?.name === 'QuotaExceededError'
}
