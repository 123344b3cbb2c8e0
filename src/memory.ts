// A storage that lives as long as the instance: where a host has none that works.

import type { KeyValue } from './port.ts'

export function memoryStorage(): KeyValue {
  const values = new Map<string, unknown>()
  return {
    durability: 'memory',
    async get(keys) {
      return keys.map((key) => values.get(key))
    },
    async write({ set = [], delete: gone = [] }) {
      for (const key of gone) values.delete(key)
      for (const [key, value] of set) values.set(key, value)
    },
    async keys(prefix) {
      return [...values.keys()].filter((key) => key.startsWith(prefix)).sort()
    },
  }
}
