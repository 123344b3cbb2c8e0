// What a game can set, and the checks that turn a mistake into a clear error before anything happens.

import { PlayerDataError } from './error.ts'
import type { Platform } from './port.ts'
import type { Signer } from './signer.ts'

/** How much is kept and how it is sent. */
export interface EventOptions {
  /**
   * How long an event waits at most before it is sent, in milliseconds.
   * @default 2000
   */
  intervalMs?: number
  /**
   * At most so many events in one request; when so many wait, they are sent at once.
   * @default 500
   */
  batchEvents?: number
  /**
   * At most so many bytes of JSON in one request; when so many wait, they are sent at once.
   * @default 262 144
   */
  batchBytes?: number
  /**
   * At most so many events are kept, in all tabs together; then the oldest ordinary ones go.
   * @default 20 000
   */
  bufferEvents?: number
  /**
   * At most so many bytes of JSON are kept, in all tabs together; then the oldest ordinary events go.
   * @default 5 000 000
   */
  bufferBytes?: number
  /**
   * Events that have waited for longer are dropped, in milliseconds.
   * @default 604 800 000 (7 days)
   */
  maxAgeMs?: number
  /**
   * When the page goes: `keep` what is left for the next start, or `send` the last of it, 60 KiB at most, which may then arrive twice.
   * @default keep
   */
  onLeave?: 'keep' | 'send'
}

/**
 * - `granted`: events are stored and sent
 * - `pending`: events are held in memory, with their times
 * - `denied`: what is kept is purged, and nothing is taken
 */
export type Consent = 'granted' | 'pending' | 'denied'

/** What `createPlayerData` takes. A wrong one is a `config` error that names it. */
export interface PlayerDataOptions {
  /** Base address of the service, such as `https://api.example.com`. */
  baseUrl: string
  /** The API key issued to the studio. */
  apiKey: string
  /** Who signs logins: `remoteSigner` with your server, or `developmentSigner` with a development key pair. */
  signer: Signer
  /**
   * Identifies this device to the service.
   * @default made once and kept
   */
  deviceId?: string
  /**
   * Where the session is kept: `persistent` over restarts, `session` as long as the tab, `memory` as long as the instance.
   * A script on the page can read the first two.
   * @default persistent
   */
  tokens?: 'persistent' | 'session' | 'memory'
  /**
   * How long to wait for a reply, in milliseconds.
   * @default 30 000
   */
  timeoutMs?: number
  /**
   * The service's logout call, which its interface does not specify: GET, POST, PUT or DELETE, and a path under `baseUrl`.
   * @default none: a logout is local
   */
  logoutEndpoint?: { method: string; path: string }
  /**
   * Goes into `Ad_Impression` payloads that have none.
   * @default a new one for each start
   */
  sessionId?: string
  /**
   * Goes with every event, unless `track` is given another.
   * @default the host's `deviceType`, `osName` and `osVersion`
   */
  metadata?: Record<string, unknown>
  /**
   * Whether events may be stored and sent, until `setConsent` says otherwise.
   * @default granted
   */
  consent?: Consent
  /**
   * How much is kept and how it is sent.
   * @default as below
   */
  events?: EventOptions
  /**
   * Replaces parts of the host, for example its storage.
   * @default found by looking at the host
   */
  platform?: Partial<Platform>
}

type Defaulted = 'tokens' | 'timeoutMs' | 'consent'
export type CheckedOptions = Omit<PlayerDataOptions, 'events'> &
  Required<Pick<PlayerDataOptions, Defaulted>> & { events: Required<EventOptions> }

/** The options with defaults filled in, or a `config` error that names the one that is wrong. */
export function checkOptions(options: PlayerDataOptions): CheckedOptions {
  const { baseUrl, apiKey, signer, deviceId, sessionId, logoutEndpoint } = options || {}
  const { tokens = 'persistent', timeoutMs = 30_000, consent = 'granted' } = options || {}
  const events = Object.assign({ onLeave: 'keep' }, AMOUNTS, options?.events) as Required<EventOptions>
  const isText = (text: unknown) => typeof text === 'string' && text !== ''
  check('baseUrl', isText(baseUrl) && /^https?:[/][/][^/]/.test(baseUrl), 'an address such as https://api.example.com')
  check('apiKey', isText(apiKey), 'the API key issued to your studio')
  check('signer', typeof signer === 'function', 'remoteSigner({ url }) or developmentSigner({ secret })')
  check('deviceId', deviceId === undefined || isText(deviceId), 'a string that is not empty')
  check('sessionId', sessionId === undefined || isText(sessionId), 'a string that is not empty')
  check('timeoutMs', timeoutMs > 0 && timeoutMs < 2 ** 31, 'a number of milliseconds above zero')
  check('tokens', oneOf(tokens, 'persistent', 'session', 'memory'), "'persistent', 'session' or 'memory'")
  // Other methods end the game on some hosts.
  const isCall = !logoutEndpoint || (/^(GET|POST|PUT|DELETE)$/.test(logoutEndpoint.method) && /^[/]/.test(logoutEndpoint.path))
  check('logoutEndpoint', isCall, "such as { method: 'POST', path: '/auth/logout' }")
  check('events.onLeave', oneOf(events.onLeave, 'keep', 'send'), "'keep' or 'send'")
  for (const name of Object.keys(AMOUNTS) as (keyof typeof AMOUNTS)[]) check(`events.${name}`, events[name] >= 1, 'a number of at least 1')
  checkConsent(consent)
  return Object.assign({}, options, { baseUrl: baseUrl.replace(/[/]+$/, ''), tokens, timeoutMs, consent, events })
}

export function checkConsent(consent: Consent): void {
  check('consent', oneOf(consent, 'granted', 'pending', 'denied'), "'granted', 'pending' or 'denied'")
}

function oneOf(word: string, ...words: string[]): boolean {
  return words.indexOf(word) >= 0
}

function check(option: string, isRight: boolean, expected: string): void {
  if (!isRight) throw new PlayerDataError('config', `createPlayerData: ${option} must be ${expected}.`)
}

const AMOUNTS = {
  intervalMs: 2000,
  batchEvents: 500,
  batchBytes: 262_144,
  bufferEvents: 20_000,
  bufferBytes: 5_000_000,
  maxAgeMs: 604_800_000,
}
