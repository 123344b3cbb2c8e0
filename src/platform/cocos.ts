// Cocos Creator's native builds. They show the globals of a page, most of them for show: nothing fires when the game is hidden, and the
// user agent is an iPhone's on every device. What is true comes from `jsb` and, by `bindCocos`, from the engine.

import type { Platform } from '../port.ts'
import { areaJournal, areaStorage, webArea } from './area.ts'
import type { HostParts } from './common.ts'
import { xhrHttp } from './xhr.ts'

declare const jsb: { device?: { getNetworkType?(): number } } | undefined
declare const __getOS: (() => string) | undefined

/** What we use of the engine's module, `import * as cc from 'cc'`. */
export interface CocosEngine {
  /** Tells of hide, show and close. */
  game: { on(type: string, run: () => void): unknown; off(type: string, run: () => void): unknown }
  /** Tells what the device is. */
  sys: { isNative: boolean; isMobile: boolean; os: string; osVersion: string }
}

/** There is no event for the network's return. */
const POLL_MS = 5000

export function cocosPlatform(): HostParts | undefined {
  if (typeof jsb !== 'object' || typeof __getOS !== 'function') return
  const osName = __getOS()
  const area = webArea(localStorage)
  return {
    http: xhrHttp,
    storage: areaStorage(area, 'disk'),
    journal: areaJournal(area),
    onResume: onNetwork,
    device: () => ({ deviceType: 'unknown', osName, osVersion: '' }),
  }
}

/**
 * The parts of a platform that only the engine knows: hide, show, and the device. Give them to `createPlayerData`:
 * `platform: bindCocos(cc)`. On the web and in minigames there is nothing to add, and the same line does no harm.
 */
export function bindCocos({ game, sys }: CocosEngine): Partial<Platform> {
  if (!sys.isNative) return {}
  const listen = (type: string, run: () => void) => {
    game.on(type, run)
    return () => game.off(type, run)
  }
  return {
    onHide(run) {
      const stops = ['game_on_hide', 'game_on_close'].map((type, leaving) => listen(type, () => run(!!leaving)))
      return () => {
        for (const stop of stops) stop()
      }
    },
    onResume(run) {
      const stops = [listen('game_on_show', run), onNetwork(run)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    device: () => ({ deviceType: sys.isMobile ? 'phone' : 'desktop', osName: sys.os, osVersion: sys.osVersion }),
  }
}

function onNetwork(run: () => void): () => void {
  let was = 1
  const timer = setInterval(() => {
    const device = typeof jsb === 'object' ? jsb.device : undefined
    const type = device?.getNetworkType ? device.getNetworkType() : 1
    if (type && !was) run()
    was = type
  }, POLL_MS)
  return () => clearInterval(timer)
}
