// What a game can set, and the checks that turn a mistake into a clear error before anything happens.

import { PlayerDataError } from './error.ts'
import type { Platform } from './port.ts'
import type { Signer } from './signer.ts'

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
  /** Replaces parts of the host, for example its storage. */
  platform?: Partial<Platform>
}

/** The options with defaults filled in, or a `config` error that names the one that is wrong. */
export function checkOptions(options: PlayerDataOptions): PlayerDataOptions & Required<Pick<PlayerDataOptions, 'tokens' | 'timeoutMs'>> {
  const { baseUrl, apiKey, signer, deviceId, tokens = 'persistent', timeoutMs = 30_000, logoutEndpoint } = options
  if (typeof baseUrl !== 'string' || !/^https?:[/][/][^/]/.test(baseUrl)) {
    throw wrong('baseUrl', 'the service’s address with http:// or https://, for example https://api.example.com')
  }
  if (typeof apiKey !== 'string' || apiKey === '') throw wrong('apiKey', 'the API key issued to your studio')
  if (typeof signer !== 'function') throw wrong('signer', 'a function: remoteSigner({ url }) or developmentSigner({ secret })')
  if (deviceId !== undefined && (typeof deviceId !== 'string' || deviceId === '')) throw wrong('deviceId', 'a string that is not empty')
  if (['persistent', 'session', 'memory'].indexOf(tokens) < 0) throw wrong('tokens', "'persistent', 'session' or 'memory'")
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) throw wrong('timeoutMs', 'a number of milliseconds above zero')
  if (logoutEndpoint && !(typeof logoutEndpoint.method === 'string' && /^[/]/.test(logoutEndpoint.path))) {
    throw wrong('logoutEndpoint', "{ method, path }, for example { method: 'POST', path: '/auth/logout' }")
  }
  return { ...options, baseUrl: baseUrl.replace(/[/]+$/, ''), tokens, timeoutMs }
}

function wrong(option: string, expected: string): PlayerDataError {
  return new PlayerDataError('config', `createPlayerData: ${option} must be ${expected}.`)
}
