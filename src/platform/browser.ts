// A page, or what comes near to one: workers, and bare engines that have some of its globals.

import { PlayerDataError } from '../error.ts'
import { memoryStorage } from '../memory.ts'
import type { KeyValue, Platform } from '../port.ts'
import { areaStorage, webArea } from './area.ts'
import { userAgentDevice } from './device.ts'
import { fetchHttp } from './fetch.ts'
import { indexedDbStorage } from './indexeddb.ts'
import { leaseLocks } from './lease.ts'
import { broadcastChannel, pageLife, pageStorages, webLocks } from './tabs.ts'
import { xhrHttp } from './xhr.ts'

export function browserPlatform(): Partial<Platform> & Pick<Platform, 'http' | 'storage'> {
  const isPage = typeof document === 'object' && typeof location === 'object'
  const platform = { http: bestHttp(), storage: bestStorage() }
  return isPage
    ? Object.assign(platform, leaseLocks(), webLocks(), broadcastChannel('player-data'), pageLife(), pageStorages(), userAgentDevice(), {
        pageHost: location.hostname,
      })
    : platform
}

/** A fetch that cannot be ended, as polyfills have it, is no better than what it is made of. */
function bestHttp(): Platform['http'] {
  if (typeof fetch === 'function' && typeof AbortController === 'function') return fetchHttp
  if (typeof XMLHttpRequest === 'function') return xhrHttp
  return () => {
    throw new PlayerDataError('config', 'This host has no fetch. Give createPlayerData a way to send: platform: { http }.')
  }
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
