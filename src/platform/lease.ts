// Locks for pages without Web Locks (plain http, old browsers): a lease in localStorage, renewed while it is held. A hidden tab's timers
// run once a minute, so a lease that is two minutes old has no owner. Not exact: two tabs that ask in the same instant may both get it,
// which the callers of a lock must stand.

import type { Platform } from '../port.ts'

const LEASE_MS = 120_000
const RENEW_MS = 20_000
const POLL_MS = 100

export function leaseLocks(): Pick<Platform, 'lock'> {
  let storage: Storage
  try {
    storage = localStorage
    storage.getItem('')
  } catch {
    return {}
  }
  const holder = String(Math.random())

  function take(key: string): boolean {
    const [owner, until] = (storage.getItem(key) || '').split(' ')
    if (owner && owner !== holder && Number(until) > Date.now()) return false
    storage.setItem(key, `${holder} ${Date.now() + LEASE_MS}`)
    return true
  }

  return {
    async lock(name, waitMs, run, onCancel) {
      const key = `player-data/lease/${name}`
      const end = Date.now() + waitMs
      let cancelled = false
      if (onCancel) {
        onCancel(() => {
          cancelled = true
        })
      }
      while (!take(key)) {
        if (cancelled || Date.now() >= end) throw new Error('The lock is not free.')
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
      const renewal = setInterval(() => take(key), RENEW_MS)
      try {
        return await run()
      } finally {
        clearInterval(renewal)
        storage.removeItem(key)
      }
    },
  }
}
