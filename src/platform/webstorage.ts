// localStorage or sessionStorage as our storage. Values are JSON text.

import type { KeyValue } from '../port.ts'
import { parse } from '../reply.ts'

export function webStorage(storage: Storage): KeyValue {
  return {
    durability: 'weak',
    get: async (keys) => keys.map((key) => parse(storage.getItem(key) || '')),
    async write({ set = [], delete: gone = [] }) {
      for (const key of gone) storage.removeItem(key)
      for (const [key, value] of set) storage.setItem(key, JSON.stringify(value))
    },
    async keys(prefix) {
      const all = Array.from({ length: storage.length }, (_, at) => storage.key(at) as string)
      return all.filter((key) => key.startsWith(prefix)).sort()
    },
  }
}
