// What hosts have in common: a clock, mostly timers, mostly random numbers.

import type { Host, Platform } from '../port.ts'
import { bestRandom } from './random.ts'

/** What a host brings of its own: at least a way to send, and a place to keep. */
export type HostParts = Partial<Platform> & Pick<Platform, 'http' | 'storage'>

/** A platform of these and of the host's own parts. Touches nothing: what it returns does, when called. */
export function withCommon(parts: HostParts): Host {
  return Object.assign({ now: () => Date.now() }, timers(), bestRandom(), parts)
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
