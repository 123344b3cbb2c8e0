// Runs things one at a time across the instances on one storage, as far as the host can. The wait is bounded: a frozen tab would hold
// a lock for ever, so after the wait one goes on without. What is run must therefore be safe, if wasteful, when it runs twice.

import type { Platform } from './port.ts'

export type Exclusively = <T>(name: string, run: () => Promise<T>) => Promise<T>

const WAIT_MS = 5000

export function createLock({ lock }: Platform, namespace: string): Exclusively {
  return async (name, run) => {
    if (!lock) return run()
    let started = false
    try {
      return await lock(`${namespace}/${name}`, WAIT_MS, () => {
        started = true
        return run()
      })
    } catch (error) {
      if (started) throw error
      return run() // waited long enough, or the host forbids locks (a sandboxed frame)
    }
  }
}
