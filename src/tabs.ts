// The other tabs of the same game: tells them that something has changed, never what. They read it from the storage that all share.

import type { Platform } from './port.ts'

export type TabMessage = { kind: 'session' | 'profile' } | { kind: 'logout'; mark: string }

export interface Tabs {
  tell(message: TabMessage): void
  listen(run: (message: TabMessage) => void): () => void
}

export function createTabs({ broadcast }: Platform, namespace: string): Tabs {
  return {
    tell(message) {
      if (broadcast) broadcast.post(JSON.stringify({ namespace, ...message }))
    },
    listen(run) {
      if (!broadcast) return () => {}
      return broadcast.listen((text) => {
        try {
          const message = JSON.parse(text)
          if (message.namespace === namespace) run(message)
        } catch {
          // Not ours: anyone on the site can speak here.
        }
      })
    },
  }
}
