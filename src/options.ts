// What a game can set, and the checks that turn a mistake into a clear error before anything happens.

import { PlayerDataError } from './error.ts'
import type { Platform } from './port.ts'
import type { Signer } from './signer.ts'

export interface EventOptions {
  /** How long an event waits at most before it is sent. Default 2000. */
  intervalMs?: number
  /** At most so many events in one request. Default 500. */
  batchEvents?: number
  /** At most so many bytes in one request. Default 262 144. */
  batchBytes?: number
  /** At most so many events are kept; then the oldest ordinary ones go. Default 20 000. */
  bufferEvents?: number
  /** At most so many bytes are kept. Default 5 000 000. */
  bufferBytes?: number
  /** Older events are dropped. Default 7 days. */
  maxAgeMs?: number
  /** When the page goes: `keep` what is left for the next start (the default), or `send` the last of it, which may then arrive twice. */
  onLeave?: 'keep' | 'send'
}

/** `granted`: events are stored and sent. `pending`: held in memory. `denied`: what is kept is purged, and nothing is taken. */
export type Consent = 'granted' | 'pending' | 'denied'

export interface PlayerDataOptions {
  /** Base address of the service, `https://api.example.com`. */
  baseUrl: string
  /** The API key issued to the studio. */
  apiKey: string
  /** Who signs logins: `remoteSigner` with your server, or `developmentSigner` with a development key pair. */
  signer: Signer
  /** Identifies this device to the service. By default made once and kept. */
  deviceId?: string
  /**
   * Where the session is kept: `persistent` over restarts (the default), `session` as long as the tab, `memory` as long as the instance.
   * A script on the page can read the first two.
   */
  tokens?: 'persistent' | 'session' | 'memory'
  /** How long to wait for a reply. Default 30 000. */
  timeoutMs?: number
  /** The service's logout call, which its interface does not specify. Without it a logout is local. */
  logoutEndpoint?: { method: string; path: string }
  /** One for each start by default; goes into `Ad_Impression` payloads that have none. */
  sessionId?: string
  /** Goes with every event. By default the host's device type, operating system and its version. */
  metadata?: Record<string, unknown>
  /** Whether events may be stored and sent. Default `granted`. */
  consent?: Consent
  events?: EventOptions
  /** Replaces parts of the host, for example its storage. */
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
