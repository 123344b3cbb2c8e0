// A storage that goes on in memory when the host's fails or hangs (a full disk, a private window, Safari's IndexedDB at start).
// What was written before is then out of reach; what is written from then on lasts as long as the instance. Told once.

import { PlayerDataError } from './error.ts'
import { memoryStorage } from './memory.ts'
import type { KeyValue, Platform } from './port.ts'

const PATIENCE_MS = 3000

export function createFallback(storage: KeyValue, after: Platform['after'], onError: (error: PlayerDataError) => void): KeyValue {
  let current = storage

  function attempt<T>(use: (storage: KeyValue) => Promise<T>): Promise<T> {
    if (current !== storage) return use(current)
    return patiently(() => use(storage)).catch((cause) => {
      if (current === storage) {
        current = memoryStorage()
        onError(
          new PlayerDataError(
            'storage',
            'The host’s storage does not work, so the session will not outlive this start. Free some space, or leave private browsing.',
            {
              cause,
            },
          ),
        )
      }
      return use(current)
    })
  }

  function patiently<T>(run: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = after(PATIENCE_MS, () => reject(new Error(`no answer within ${PATIENCE_MS} ms`)))
      // A storage may also throw at once: idb-keyval does where there is no IndexedDB.
      Promise.resolve().then(run).then(resolve, reject).then(cancel)
    })
  }

  return {
    get: (keys) => attempt((use) => use.get(keys)),
    write: (change) => attempt((use) => use.write(change)),
    keys: (prefix) => attempt((use) => use.keys(prefix)),
  }
}
