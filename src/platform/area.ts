// The small synchronous stores of hosts (localStorage, a minigame's own) as our storage and as our journal. Values are JSON text.

import type { KeyValue, Platform } from '../port.ts'
import { parse } from '../reply.ts'

/** A place for texts under keys. What is absent may be null, undefined or empty text. */
export interface Area {
  get(key: string): string | null | undefined
  set(key: string, text: string): void
  remove(key: string): void
  keys(): string[]
}

/** The storage that browsers have, and Cocos Creator's native builds. */
export function webArea(storage: Storage): Area {
  return {
    get: (key) => storage.getItem(key),
    set: (key, text) => storage.setItem(key, text),
    remove: (key) => storage.removeItem(key),
    keys: () => Array.from({ length: storage.length }, (_, at) => storage.key(at) as string),
  }
}

export function areaStorage(area: Area, durability: KeyValue['durability'] = 'weak'): KeyValue {
  return {
    durability,
    get: async (keys) => keys.map((key) => parse(area.get(key) || '')),
    // No transactions here: what is set comes first, so that a crash in between leaves too much and not too little.
    async write({ set = [], delete: gone = [] }) {
      for (const [key, value] of set) {
        const text = JSON.stringify(value)
        area.set(key, text)
        if (area.get(key) !== text) throw new Error('The storage did not keep what was written.')
      }
      for (const key of gone) if (!set.some(([kept]) => kept === key)) area.remove(key)
    },
    keys: async (prefix) =>
      area
        .keys()
        .filter((key) => key.startsWith(prefix))
        .sort(),
  }
}

export function areaJournal(area: Area): Required<Platform>['journal'] {
  const key = 'player-data/journal'
  return {
    read: () => area.get(key) || null,
    write: (text) => (text ? area.set(key, text) : area.remove(key)),
  }
}
