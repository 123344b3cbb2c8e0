// Which host this is. The only code that asks.

import { PlayerDataError } from '../error.ts'
import type { Host, Platform } from '../port.ts'
import { browserPlatform } from './browser.ts'
import { cocosPlatform } from './cocos.ts'
import { withCommon } from './common.ts'
import { fetchHttp } from './fetch.ts'
import { minigamePlatform } from './minigame.ts'
import { xhrHttp } from './xhr.ts'

export function detectPlatform(): Host {
  // In this order: engines dress up minigames and native builds as pages.
  return withCommon(minigamePlatform() || cocosPlatform() || browserPlatform(bestHttp()))
}

/** A fetch that cannot be ended, as polyfills have it, is no better than what it is made of. */
function bestHttp(): Platform['http'] {
  if (typeof fetch === 'function' && typeof AbortController === 'function') return fetchHttp
  if (typeof XMLHttpRequest === 'function') return xhrHttp
  return () => {
    throw new PlayerDataError('config', 'This host has no fetch. Give createPlayerData a way to send: platform: { http }.')
  }
}
