// What the service last said of the player: status and store. Kept beside the session, so that a start without network has them.

import type { components } from '../generated/openapi.ts'
import type { KeyValue } from './port.ts'
import { isObject } from './reply.ts'

export type PlayerStatus = components['schemas']['PlayerStatus']
export type StoreConfig = components['schemas']['StoreConfig']

export interface Profile {
  readonly status: PlayerStatus | null
  readonly store: StoreConfig | null
  /** Takes news of the player. Keeps them, and tells of what has changed. */
  update(userId: string, news: { status?: PlayerStatus | undefined; store?: StoreConfig | undefined }): Promise<void>
  /** Reads what is kept of that player. */
  restore(userId: string): Promise<void>
  /** Forgets the player, here and in the storage. */
  forget(): Promise<void>
}

export interface ProfileListener {
  onStatus(status: PlayerStatus | null): void
  onStore(store: StoreConfig | null): void
}

export function createProfile(storage: KeyValue, namespace: string, { onStatus, onStore }: ProfileListener): Profile {
  const key = `${namespace}/profile`
  let status: PlayerStatus | null = null
  let store: StoreConfig | null = null

  function set(next: { status: PlayerStatus | null; store: StoreConfig | null }): void {
    const statusChanged = JSON.stringify(next.status) !== JSON.stringify(status)
    const storeChanged = JSON.stringify(next.store) !== JSON.stringify(store)
    status = next.status
    store = next.store
    if (statusChanged) onStatus(status)
    if (storeChanged) onStore(store)
  }

  return {
    get status() {
      return status
    },
    get store() {
      return store
    },
    async update(userId, news) {
      set({ status: news.status || status, store: news.store || store })
      await storage.write({ set: [[key, { userId, status, store }]] })
    },
    async restore(userId) {
      const [kept] = await storage.get([key])
      if (!isObject(kept) || kept.userId !== userId) return
      set({
        status: isObject(kept.status) ? (kept.status as PlayerStatus) : null,
        store: isObject(kept.store) ? (kept.store as StoreConfig) : null,
      })
    },
    async forget() {
      set({ status: null, store: null })
      await storage.write({ delete: [key] })
    },
  }
}
