// What browsers offer to the tabs of one site: locks, messages, a storage per tab, and news of waking up.

import type { Platform } from '../port.ts'
import { areaJournal, areaStorage, webArea } from './area.ts'

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

/** Hidden (as every page is before it is frozen) or going; and shown again, back from the back-forward cache, or online again. */
export function pageLife(): Pick<Platform, 'onHide' | 'onResume'> {
  const isHidden = () => document.visibilityState === 'hidden'
  return {
    onHide: (run) =>
      listen([
        [document, 'visibilitychange', () => isHidden() && run(false)],
        [window, 'pagehide', () => run(true)],
      ]),
    onResume: (run) =>
      listen([
        [document, 'visibilitychange', () => isHidden() || run()],
        [window, 'pageshow', run],
        [window, 'online', run],
      ]),
  }
}

function listen(listeners: [target: EventTarget, type: string, run: () => void][]): () => void {
  for (const [target, type, run] of listeners) target.addEventListener(type, run)
  return () => {
    for (const [target, type, run] of listeners) target.removeEventListener(type, run)
  }
}

/** What the page may use of the browser's synchronous storages: none in a sandboxed frame. */
export function pageStorages(): Pick<Platform, 'sessionStorage' | 'journal'> {
  return Object.assign(
    reach(() => ({ sessionStorage: areaStorage(webArea(sessionStorage)) })),
    reach(() => ({ journal: areaJournal(webArea(localStorage)) })),
  )
}

function reach<T>(get: () => T): Partial<T> {
  try {
    return get()
  } catch {
    return {}
  }
}
