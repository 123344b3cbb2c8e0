// IndexedDB as our storage, by idb-keyval. One change is one transaction.

import { createStore, promisifyRequest, type UseStore } from 'idb-keyval'
import type { KeyValue } from '../port.ts'

export function indexedDbStorage(name = 'player-data'): KeyValue {
  // Made at the first use, since nothing may be opened before.
  let store: UseStore | undefined
  const use: UseStore = (mode, run) => {
    store = store || createStore(name, 'values')
    return store(mode, (values) => {
      const { db } = values.transaction
      // Another page wants to delete or upgrade the database: it must not wait for us.
      db.onversionchange = () => {
        db.close()
        store = undefined
      }
      return run(values)
    })
  }
  return {
    durability: 'disk',
    get: (keys) => use('readonly', (values) => Promise.all(keys.map((key) => promisifyRequest<unknown>(values.get(key))))),
    write: ({ set = [], delete: gone = [] }) =>
      use('readwrite', (values) => {
        for (const key of gone) values.delete(key)
        for (const [key, value] of set) values.put(value, key)
        return promisifyRequest(values.transaction)
      }),
    keys: (prefix) =>
      use('readonly', (values) => promisifyRequest(values.getAllKeys(IDBKeyRange.bound(prefix, `${prefix}\uffff`)))) as Promise<string[]>,
  }
}
