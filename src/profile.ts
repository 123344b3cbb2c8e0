// What the service last said of the player: status and store. Kept beside the session, so that a start without network has them.

import type { components } from '../generated/openapi.ts'
import type { KeyValue } from './port.ts'
import { isObject } from './reply.ts'

/** Whether the player pays, after the contract. */
export type PlayerStatus = components['schemas']['PlayerStatus']
/** The player's own store, after the contract. */
export type StoreConfig = components['schemas']['StoreConfig']

export interface Known {
  status: PlayerStatus | null
  store: StoreConfig | null
}

export interface Profile {
  readonly known: Readonly<Known>
  /** Takes news of the player. Keeps them, and tells of what has changed. */
  update(userId: string, news: { [Name in keyof Known]?: Known[Name] | undefined }): Promise<void>
  /** Reads what is kept of that player. */
  restore(userId: string): Promise<void>
  /** Forgets the player, here and in the storage. */
  forget(): Promise<void>
}

export function createProfile(storage: KeyValue, namespace: string, onChange: (name: keyof Known, value: never) => void): Profile {
  const key = `${namespace}/profile`
  let known: Known = { status: null, store: null }

  function set(status: unknown, store: unknown): void {
    const before = known
    known = { status: isObject(status) ? (status as PlayerStatus) : null, store: isObject(store) ? (store as StoreConfig) : null }
    for (const name of ['status', 'store'] as const) {
      if (JSON.stringify(known[name]) !== JSON.stringify(before[name])) onChange(name, known[name] as never)
    }
  }

  return {
    get known() {
      return known
    },
    async update(userId, { status, store }) {
      set(status || known.status, store || known.store)
      await storage.write({ set: [[key, Object.assign({ userId }, known)]] })
    },
    async restore(userId) {
      const [kept] = await storage.get([key])
      if (isObject(kept) && kept.userId === userId) set(kept.status, kept.store)
    },
    async forget() {
      set(null, null)
      await storage.write({ delete: [key] })
    },
  }
}
