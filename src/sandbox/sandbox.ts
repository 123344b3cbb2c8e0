// The whole Player Data Service on one's own machine, for development and tests, with faults on demand. This file is the wiring and the
// public face.

import { createValidator } from '../contract/validator.ts'
import { type Controls, createControl, isControlPath } from './control.ts'
import { createExchange } from './exchange.ts'
import { createFaults } from './faults.ts'
import { createLedger } from './ledger.ts'
import { createOperations } from './operations.ts'
import type { Player } from './player.ts'
import { createServer } from './server.ts'
import { createSettings, type Settings } from './settings.ts'
import { createStorage } from './storage.ts'
import { createTokens } from './tokens.ts'
import { createTraffic, type RequestEntry } from './traffic.ts'

/** What `createSandbox` takes. Every setting can be given at the start as well. */
export interface SandboxOptions extends Partial<Settings> {
  /**
   * The port to listen on; 0 is any free one.
   * @default 0
   */
  port?: number
  /**
   * The address to listen on. The default is reachable from this machine alone.
   * @default 127.0.0.1
   */
  host?: string
  /**
   * The API key that it takes.
   * @default dev-key
   */
  apiKey?: string
  /**
   * The secret that logins must be signed with.
   * @default dev-secret
   */
  secret?: string
  /**
   * Another seed makes other players of the same devices.
   * @default sandbox
   */
  seed?: string
  /**
   * A folder in which events, players and tokens outlive the process. One sandbox at a time.
   * @default none: all is in memory
   */
  data?: string
  /**
   * Answers 500 in place of a reply that breaks the contract; `breaches()` lists them either way.
   * @default false
   */
  strict?: boolean
  /**
   * Called as each reply goes out, or is dropped; with nothing secret in it.
   * @default none
   */
  onRequest?: (entry: RequestEntry) => void
}

/** A sandbox that runs. */
export interface Sandbox extends Controls {
  /** Base address of the service, without a trailing slash. */
  readonly url: string
  /** Ends at once, held connections included. */
  close(): Promise<void>
}

/** Starts a sandbox; resolves once it can be reached. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, host = '127.0.0.1', apiKey = 'dev-key', secret = 'dev-secret', ...others } = options
  const { seed = 'sandbox', data, strict = false, onRequest = () => {}, ...initial } = others
  const validator = createValidator()
  const settings = createSettings(initial)
  const now = () => Date.now() + settings.current.clockOffsetMs
  const storage = createStorage(data)
  const { past } = storage
  const players = new Map<string, Player>(past.state?.players.map((player) => [player.userId, player]))
  const tokens = createTokens({ now, settings: settings.current, ...(past.state && { past: past.state.tokens }) })
  const ledger = createLedger({ past: past.events, append: storage.append })
  const traffic = createTraffic({ operations: validator.operations.map(({ id }) => id), last: past.events.at(-1)?.request ?? 0 })
  const faults = createFaults()
  const breaches: string[] = []
  const save = () => storage.save({ players: [...players.values()], tokens: tokens.state() })

  const operations = createOperations({
    keys: { apiKey, secret },
    seed,
    settings: settings.current,
    now,
    players,
    tokens,
    ledger,
    save,
    refusal(events) {
      const fault = faults.takeRejection(events)
      return fault && { status: fault.status ?? 400, message: 'An event of this batch was rejected' }
    },
  })
  const exchange = createExchange({
    validator,
    faults,
    operations,
    traffic,
    settings: settings.current,
    now,
    strict,
    onRequest,
    onBreach: (message) => void breaches.push(message),
  })

  const controls: Controls = {
    notices: [...storage.notices, ...(isLoopback(host) ? [] : [openNotice(host)])],
    settings: settings.current,
    configure: settings.change,
    addFault(fault) {
      const id = faults.add(fault)
      return Object.assign(() => void faults.remove(id), { id })
    },
    removeFault: faults.remove,
    clearFaults: faults.clear,
    faults: faults.list,
    expireAccessTokens() {
      tokens.expireAccess()
      save()
    },
    revokeRefreshTokens() {
      tokens.revokeRefresh()
      save()
    },
    events: ledger.events,
    stats: () => ({ ...ledger.tally(), ...traffic.counts() }),
    requests: traffic.entries,
    breaches: () => [...breaches],
    reset() {
      for (const part of [faults, ledger, traffic, players]) part.clear()
      breaches.length = 0
      settings.reset()
      tokens.expireAccess()
      tokens.revokeRefresh()
      storage.clearEvents()
      save()
    },
  }
  const control = createControl(controls)

  const server = await createServer({
    host,
    port,
    settings: settings.current,
    now,
    allowedHeaders: ['Authorization', 'Content-Type', ...new Set(validator.operations.flatMap(({ headers }) => headers))],
    handle: async (request) => (isControlPath(request.path) ? { reply: control.handle(request) } : exchange.handle(request)),
  })

  return Object.assign(controls, {
    url: server.url,
    close() {
      exchange.close()
      faults.clear()
      return server.close()
    },
  })
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127[.]/.test(host)
}

function openNotice(host: string): string {
  return `Listening on ${host}: everyone on the network can reach this sandbox, read what it received and change it. It is made for development on one machine (127.0.0.1).`
}
