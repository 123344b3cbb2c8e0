// What a game can set, and the checks that turn a mistake into a clear error before anything happens.

import { PlayerDataError } from './error.ts'
import type { Platform } from './port.ts'
import { isObject } from './reply.ts'
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
  if (!isObject(options)) throw wrong('its argument', 'an object with baseUrl, apiKey and signer')
  const {
    baseUrl,
    apiKey,
    signer,
    deviceId,
    sessionId,
    tokens = 'persistent',
    timeoutMs = 30_000,
    consent = 'granted',
    logoutEndpoint,
  } = options
  const events = { ...EVENT_DEFAULTS, ...options.events }
  if (typeof baseUrl !== 'string' || !/^https?:[/][/][^/]/.test(baseUrl)) {
    throw wrong('baseUrl', 'the service’s address with http:// or https://, for example https://api.example.com')
  }
  if (typeof apiKey !== 'string' || apiKey === '') throw wrong('apiKey', 'the API key issued to your studio')
  if (typeof signer !== 'function') throw wrong('signer', 'a function: remoteSigner({ url }) or developmentSigner({ secret })')
  for (const [name, text] of Object.entries({ deviceId, sessionId })) {
    if (text !== undefined && (typeof text !== 'string' || text === '')) throw wrong(name, 'a string that is not empty')
  }
  if (['persistent', 'session', 'memory'].indexOf(tokens) < 0) throw wrong('tokens', "'persistent', 'session' or 'memory'")
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) throw wrong('timeoutMs', 'a number of milliseconds above zero')
  if (logoutEndpoint && !(typeof logoutEndpoint.method === 'string' && /^[/]/.test(logoutEndpoint.path))) {
    throw wrong('logoutEndpoint', "{ method, path }, for example { method: 'POST', path: '/auth/logout' }")
  }
  checkConsent(consent)
  const { onLeave, ...amounts } = events
  for (const [name, amount] of Object.entries(amounts)) if (!(amount >= 1)) throw wrong(`events.${name}`, 'a number of at least 1')
  if (onLeave !== 'keep' && onLeave !== 'send') throw wrong('events.onLeave', "'keep' or 'send'")
  return { ...options, baseUrl: baseUrl.replace(/[/]+$/, ''), tokens, timeoutMs, consent, events }
}

export function checkConsent(consent: Consent): void {
  if (['granted', 'pending', 'denied'].indexOf(consent) < 0) throw wrong('consent', "'granted', 'pending' or 'denied'")
}

const EVENT_DEFAULTS: Required<EventOptions> = {
  intervalMs: 2000,
  batchEvents: 500,
  batchBytes: 262_144,
  bufferEvents: 20_000,
  bufferBytes: 5_000_000,
  maxAgeMs: 604_800_000,
  onLeave: 'keep',
}

function wrong(option: string, expected: string): PlayerDataError {
  return new PlayerDataError('config', `createPlayerData: ${option} must be ${expected}.`)
}
