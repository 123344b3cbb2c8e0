// A page, or what comes near to one: workers, and bare engines that have some of its globals.

import { memoryStorage } from '../memory.ts'
import type { KeyValue, Platform } from '../port.ts'
import { areaStorage, webArea } from './area.ts'
import type { HostParts } from './common.ts'
import { userAgentDevice } from './device.ts'
import { indexedDbStorage } from './indexeddb.ts'
import { leaseLocks } from './lease.ts'
import { broadcastChannel, pageLife, pageStorages, webLocks } from './tabs.ts'

/** `http` is the best that it can send by. */
export function browserPlatform(http: Platform['http']): HostParts {
  const isPage = typeof document === 'object' && typeof location === 'object'
  const platform = { http, storage: bestStorage() }
  return isPage
    ? Object.assign(platform, leaseLocks(), webLocks(), broadcastChannel('player-data'), pageLife(), pageStorages(), userAgentDevice(), {
        pageHost: location.hostname,
      })
    : platform
}

/** The most durable that is there. Some hosts throw at the very name of one that they forbid. */
function bestStorage(): KeyValue {
  try {
    if (typeof indexedDB === 'object' && indexedDB) return indexedDbStorage()
  } catch {}
  try {
    if (typeof localStorage === 'object' && localStorage) return areaStorage(webArea(localStorage))
  } catch {}
  return memoryStorage()
}
