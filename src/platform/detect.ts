// Which host this is. The only code that asks.

import type { Host, Platform } from '../port.ts'
import { browserPlatform } from './browser.ts'
import { cocosPlatform } from './cocos.ts'
import { minigamePlatform } from './minigame.ts'
import { bestRandom } from './random.ts'

/** The host's own parts. Touches nothing: what it returns does, when called. */
export function detectPlatform(): Host {
  return Object.assign(
    { now: () => Date.now() },
    timers(),
    bestRandom(),
    // In this order: engines dress up minigames and native builds as pages.
    minigamePlatform() || cocosPlatform() || browserPlatform(),
  )
}

/** Nothing where the host has no timers: then the game's `player.tick()` drives ours. */
function timers(): Partial<Pick<Platform, 'after'>> {
  if (typeof setTimeout !== 'function') return {}
  return {
    after(ms, run) {
      const timer = setTimeout(run, ms) as unknown as { unref?(): void }
      // In Node a timer of ours, hours away, must not keep the process from ending.
      if (timer.unref) timer.unref()
      return () => clearTimeout(timer as never)
    },
  }
}
