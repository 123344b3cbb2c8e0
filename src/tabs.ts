// The other tabs of the same game: tells them that something has changed, never what. They read it from the storage that all share.

import type { Platform } from './port.ts'
import { isObject, parse } from './reply.ts'

export type TabMessage = { kind: 'session' | 'profile' } | { kind: 'logout'; mark: string }

export interface Tabs {
  tell(message: TabMessage): void
  listen(run: (message: TabMessage) => void): () => void
}

export function createTabs({ broadcast }: Platform, namespace: string): Tabs {
  return {
    tell(message) {
      if (broadcast) broadcast.post(JSON.stringify(Object.assign({ namespace }, message)))
    },
    listen(run) {
      if (!broadcast) return () => {}
      return broadcast.listen((text) => {
        const message = parse(text) // anyone on the site can speak here
        if (isObject(message) && message.namespace === namespace) run(message as unknown as TabMessage)
      })
    },
  }
}
