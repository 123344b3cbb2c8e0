// The player's timers, on the host's where it has some. A game can drive them by `tick`, too: where the host has none, and where an engine
// has frozen the host's.

import type { Platform } from './port.ts'

export interface Timers {
  after: Platform['after']
  /** Runs what is due. What is run here does not run again when the host wakes up. */
  tick(): void
  /** Ends them all. */
  clear(): void
}

export function createTimers(now: () => number, hostAfter: Platform['after'] = () => () => {}): Timers {
  const waiting = new Set<{ due: number; fire(): void; end(): void }>()
  let seen = now()
  let elapsed = 0

  /** Time that never goes back, whatever the clock does. */
  function time(): number {
    const present = now()
    elapsed += Math.max(0, present - seen)
    seen = present
    return elapsed
  }

  return {
    after(ms, run) {
      let cancel = () => {}
      const timer = {
        due: time() + ms,
        fire() {
          timer.end()
          run()
        },
        end() {
          waiting.delete(timer)
          cancel()
        },
      }
      waiting.add(timer)
      cancel = hostAfter(ms, timer.fire)
      return timer.end
    },
    tick() {
      const present = time()
      for (const timer of [...waiting]) if (timer.due <= present && waiting.has(timer)) timer.fire()
    },
    clear() {
      for (const timer of [...waiting]) timer.end()
    },
  }
}
