// Which host this is. The only code that asks.

import { PlayerDataError } from '../error.ts'
import { memoryStorage } from '../memory.ts'
import type { KeyValue, Platform } from '../port.ts'
import { userAgentDevice } from './device.ts'
import { fetchHttp } from './fetch.ts'
import { indexedDbStorage } from './indexeddb.ts'
import { leaseLocks } from './lease.ts'
import { broadcastChannel, pageLife, pageStorages, webLocks } from './tabs.ts'
import { webCryptoHmac } from './webcrypto.ts'
import { webStorage } from './webstorage.ts'

const isPage = typeof document === 'object' && typeof location === 'object'

/** The host's own parts. Touches nothing: what it returns does, when called. */
export function detectPlatform(): Platform {
  return {
    http: typeof fetch === 'function' ? fetchHttp : missing('http', 'fetch'),
    storage: bestStorage(),
    now: () => Date.now(),
    after(ms, run) {
      const timer = setTimeout(run, ms) as unknown as { unref?(): void }
      // In Node a timer of ours, hours away, must not keep the process from ending.
      if (timer.unref) timer.unref()
      return () => clearTimeout(timer as never)
    },
    random: typeof crypto === 'object' ? (bytes) => crypto.getRandomValues(new Uint8Array(bytes)) : missing('random', 'crypto'),
    ...webCryptoHmac(),
    ...(isPage && {
      ...leaseLocks(),
      ...webLocks(),
      ...broadcastChannel('player-data'),
      ...pageLife(),
      ...pageStorages(),
      ...userAgentDevice(),
      pageHost: location.hostname,
    }),
  }
}

/** The most durable that is there. Some hosts throw at the very name of one that they forbid. */
function bestStorage(): KeyValue {
  try {
    if (typeof indexedDB === 'object' && indexedDB) return indexedDbStorage()
  } catch {}
  try {
    if (typeof localStorage === 'object' && localStorage) return webStorage(localStorage)
  } catch {}
  return memoryStorage()
}

function missing(part: keyof Platform, global: string): () => never {
  return () => {
    throw new PlayerDataError('config', `This host has no ${global}. Give createPlayerData a part of your own: platform: { ${part} }.`)
  }
}
