// Lanes: every instance writes a lane of its own and holds its lock for life. A lane whose lock is free has lost its owner, and whoever
// gets the lock adopts it; a frozen owner keeps it. A host that gives no lock has one instance at a time: there, every other lane is free.

import type { Platform } from './port.ts'

export interface Lanes {
  /** The lane of this instance. */
  readonly own: string
  /** Resolves when the own lane is held: before that, nothing may be stored in it. */
  hold(): Promise<void>
  /** Whether the lane is ours now, or has been before. */
  adopt(lane: string): Promise<boolean>
  /** Whether the lane is ours. */
  isHeld(lane: string): boolean
  /** Lets every lane go. */
  release(): void
}

export function createLanes({ lock }: Platform, namespace: string, own: string): Lanes {
  const taking = new Map<string, Promise<boolean>>()
  const held = new Set<string>()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })

  function take(lane: string): Promise<boolean> {
    if (!lock) return Promise.resolve(true)
    return new Promise((resolve) => {
      lock(`${namespace}/lane/${lane}`, 0, () => {
        resolve(true)
        return released
      }).catch(() => resolve(false))
    })
  }

  async function adopt(lane: string): Promise<boolean> {
    const attempt = taking.get(lane) || take(lane)
    taking.set(lane, attempt)
    const taken = await attempt
    if (taken) held.add(lane)
    else taking.delete(lane)
    return taken
  }

  return {
    own,
    async hold() {
      if (!held.has(own)) await adopt(own)
    },
    adopt,
    isHeld: (lane) => !lock || held.has(lane),
    release,
  }
}
