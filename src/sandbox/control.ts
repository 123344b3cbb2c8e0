// Everything that can be seen of a running sandbox and done to it, and the same over HTTP under /_sandbox, so that a page, a script or curl can
// do it too. The control API's replies are plain JSON whatever form is configured, and no fault touches it.

import type { ActiveFault, Fault } from './faults.ts'
import type { ReceivedEvent, Tally } from './ledger.ts'
import { createJson, type Reply } from './reply.ts'
import type { Incoming } from './server.ts'
import type { Settings } from './settings.ts'
import { ShapeError } from './shape.ts'
import type { OperationCount, RequestEntry } from './traffic.ts'

/** What the sandbox has counted. */
export interface Stats extends Tally {
  /** The events by `userId`. */
  players: Record<string, Tally>
  /** Requests that arrived, control calls left out. */
  requests: number
  /** By the operation's id in the contract: `authLogin`, `authRefresh`, `getPlayerStatus`, `getPlayerStoreConfig`, `sendEvents`. */
  operations: Record<string, OperationCount>
}

/** What can be seen of a sandbox and done to it. */
export interface Controls {
  /** What the developer should know: an open address, a repaired data folder. */
  readonly notices: readonly string[]
  /** The present settings; always the same object. */
  readonly settings: Readonly<Settings>
  /** Changes the settings that are given. */
  configure(change: Partial<Settings>): void
  /** Adds a fault. The returned function removes it again; requests that it holds back go on. */
  addFault(fault: Fault): (() => void) & { readonly id: string }
  /** Removes one fault; false where no such fault is active. */
  removeFault(id: string): boolean
  /** Removes all faults. */
  clearFaults(): void
  /** The faults that are active. */
  faults(): ActiveFault[]
  /** Ends the life of all access tokens. */
  expireAccessTokens(): void
  /** Ends the life of all refresh tokens. */
  revokeRefreshTokens(): void
  /** The events received, in the order of their arrival. */
  events(filter?: { player?: string }): ReceivedEvent[]
  /** The counts of now. */
  stats(): Stats
  /** The last 10 000 requests, control calls left out. */
  requests(): RequestEntry[]
  /** Replies that broke the contract. */
  breaches(): string[]
  /** As after the start, with nothing kept: no events, requests, faults, breaches; settings of the start; everyone has to log in again. */
  reset(): void
}

export interface Control {
  handle(request: Pick<Incoming, 'method' | 'path' | 'query' | 'body'>): Reply
}

type Handler = (input: { body: unknown; query: URLSearchParams; id: string }) => unknown

export function isControlPath(path: string): boolean {
  return path === '/_sandbox' || path.startsWith('/_sandbox/')
}

export function createControl(controls: Controls): Control {
  const routes: Record<string, Handler> = {
    'GET /_sandbox': () => {
      const { notices, settings, faults, stats, breaches } = controls
      return { notices, settings, faults: faults(), stats: stats(), breaches: breaches() }
    },
    'GET /_sandbox/events': ({ query }) => {
      const player = query.get('player')
      return controls.events(player === null ? {} : { player })
    },
    'GET /_sandbox/requests': () => controls.requests(),
    'GET /_sandbox/faults': () => controls.faults(),
    'POST /_sandbox/faults': ({ body }) => ({ id: controls.addFault(body as Fault).id }),
    'DELETE /_sandbox/faults': () => controls.clearFaults(),
    'DELETE /_sandbox/faults/{id}': ({ id }) => controls.removeFault(id),
    'POST /_sandbox/settings': ({ body }) => {
      controls.configure(body as Partial<Settings>)
      return controls.settings
    },
    'POST /_sandbox/tokens/expire': () => controls.expireAccessTokens(),
    'POST /_sandbox/tokens/revoke': () => controls.revokeRefreshTokens(),
    'POST /_sandbox/reset': () => controls.reset(),
  }

  return {
    handle({ method, path, query, body: bytes }) {
      if (method === 'OPTIONS') return { status: 204, headers: {}, body: '' }
      const [, id = ''] = /^[/]_sandbox[/]faults[/]([^/]+)$/.exec(path) ?? []
      const place = id ? '/_sandbox/faults/{id}' : path.replace(/[/]$/, '')
      const route = routes[`${method === 'HEAD' ? 'GET' : method} ${place}`]
      if (!route) return createJson(404, { error: 'There is nothing here', exists: Object.keys(routes) })
      if (!bytes) return createJson(413, { error: 'The body is too large' })

      let body: unknown
      try {
        body = bytes.length === 0 ? undefined : JSON.parse(bytes.toString('utf8'))
      } catch {
        return createJson(400, { error: 'The body is not valid JSON' }) // The parser's own message quotes the body.
      }
      try {
        const result = route({ body, query, id })
        if (result === false) return createJson(404, { error: 'No such fault is active' })
        const value = typeof result === 'object' ? result : {}
        // People open these addresses in a browser.
        return { ...createJson(200, value), body: `${JSON.stringify(value, null, 2)}\n` }
      } catch (error) {
        return createJson(error instanceof ShapeError ? 400 : 500, { error: error instanceof Error ? error.message : 'unknown' })
      }
    },
  }
}
