// What browsers offer to the tabs of one site: locks, messages, a storage per tab, and news of waking up.

import type { Platform } from '../port.ts'
import { webStorage } from './webstorage.ts'

/** Web Locks: held as long as the run, and let go when the tab dies. A frozen tab keeps its locks. Only on secure pages. */
export function webLocks(): Pick<Platform, 'lock'> {
  const locks = typeof navigator === 'object' && navigator.locks
  if (!locks) return {}
  return {
    async lock(name, waitMs, run, onCancel) {
      const wait = new AbortController()
      const timer = setTimeout(() => wait.abort(), waitMs)
      const off = onCancel?.(() => wait.abort())
      try {
        // A wait of nothing is a question: is it free?
        return await locks.request(name, waitMs > 0 ? { signal: wait.signal } : { ifAvailable: true }, (lock) => {
          clearTimeout(timer)
          if (!lock) throw new Error('The lock is not free.')
          return run()
        })
      } finally {
        clearTimeout(timer)
        if (off) off()
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

/** The page is hidden, frozen, or going. */
export function pageHide(): Pick<Platform, 'onHide'> {
  return {
    onHide(run) {
      const ifHidden = () => document.visibilityState === 'hidden' && run(false)
      const freeze = () => run(false)
      const leave = () => run(true)
      document.addEventListener('visibilitychange', ifHidden)
      document.addEventListener('freeze', freeze)
      addEventListener('pagehide', leave)
      return () => {
        document.removeEventListener('visibilitychange', ifHidden)
        document.removeEventListener('freeze', freeze)
        removeEventListener('pagehide', leave)
      }
    },
  }
}

/** The page is shown again, comes back from the back-forward cache, or is online again. */
export function pageResume(): Pick<Platform, 'onResume'> {
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

/** What the page may use of the browser's synchronous storages: none in a sandboxed frame. */
export function pageStorages(): Pick<Platform, 'sessionStorage' | 'journal'> {
  const key = 'player-data/journal'
  return {
    ...reach(() => ({ sessionStorage: webStorage(sessionStorage) })),
    ...reach(() => {
      const storage = localStorage
      return {
        journal: {
          read: () => storage.getItem(key),
          write: (text: string) => (text ? storage.setItem(key, text) : storage.removeItem(key)),
        },
      }
    }),
  }
}

function reach<T>(get: () => T): Partial<T> {
  try {
    return get()
  } catch {
    return {}
  }
}
