// What browsers offer to the tabs of one site: locks, messages, a storage per tab, and news of waking up.

import type { Platform } from '../port.ts'
import { webStorage } from './webstorage.ts'

/** Web Locks: held as long as the run, and let go when the tab dies. A frozen tab keeps its locks. */
export function webLocks(): Pick<Platform, 'lock'> {
  const locks = typeof navigator === 'object' && navigator.locks
  if (!locks) return {}
  return {
    async lock(name, waitMs, run, cancelled) {
      const wait = new AbortController()
      const timer = setTimeout(() => wait.abort(), waitMs)
      if (cancelled) cancelled.then(() => wait.abort())
      try {
        return await locks.request(name, { signal: wait.signal }, () => {
          clearTimeout(timer)
          return run()
        })
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

export function broadcastChannel(name: string): Pick<Platform, 'broadcast'> {
  if (typeof BroadcastChannel !== 'function') return {}
  let channel: BroadcastChannel | undefined
  return {
    broadcast: {
      post: (message) => channel?.postMessage(message),
      listen(run) {
        const open = new BroadcastChannel(name)
        channel = open
        open.onmessage = ({ data }) => typeof data === 'string' && run(data)
        return () => {
          open.close()
          channel = undefined
        }
      },
    },
  }
}

/** The page is shown again, comes back from the back-forward cache, or is online again. */
export function pageResume(): Pick<Platform, 'onResume'> {
  if (typeof document !== 'object' || typeof addEventListener !== 'function') return {}
  return {
    onResume(run) {
      const ifShown = () => document.visibilityState === 'visible' && run()
      document.addEventListener('visibilitychange', ifShown)
      addEventListener('pageshow', run)
      addEventListener('online', run)
      return () => {
        document.removeEventListener('visibilitychange', ifShown)
        removeEventListener('pageshow', run)
        removeEventListener('online', run)
      }
    },
  }
}

export function tabStorage(): Pick<Platform, 'sessionStorage'> {
  try {
    return typeof sessionStorage === 'object' && sessionStorage ? { sessionStorage: webStorage(sessionStorage) } : {}
  } catch {
    return {} // a sandboxed frame, or a browser that forbids storage
  }
}
