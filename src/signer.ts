// Who signs a login. In production that is the studio's backend, which holds the API secret.

import { PlayerDataError } from './error.ts'
import type { Platform } from './port.ts'
import { isObject, readReply } from './reply.ts'
import { createSignature, type SignRequest } from './signature.ts'
import { createTransport } from './transport.ts'

/** The proof that goes into a login. `timestamp` is the one that was signed; it may differ from the one asked for. */
export interface Signed {
  /** UTC, `YYYY-MM-DDThh:mm:ssZ`. */
  timestamp: string
  /** Base64 of the HMAC-SHA256. */
  signature: string
}

/** Signs one login. `platform` is the runtime's own host, for signers that need its network or its HMAC. */
export type Signer = (request: SignRequest, platform: Platform) => Promise<Signed>

/** What `remoteSigner` takes. */
export interface RemoteSignerOptions {
  /** Where your server mounts `createSigningHandler` of `player-data-runtime/signing`. */
  url: string
  /**
   * Tells your server who the player is, for example by the token of your own login. Called for each signature.
   * @default none
   */
  headers?: () => Record<string, string> | Promise<Record<string, string>>
}

/**
 * Has your server sign, which holds the API secret. It also tells the time that it signed, so a wrong clock on the device does no harm.
 */
export function remoteSigner({ url, headers }: RemoteSignerOptions): Signer {
  if (typeof url !== 'string' || !/^https?:[/][/]/.test(url)) {
    throw new PlayerDataError('config', 'remoteSigner needs the address of your signing endpoint: remoteSigner({ url })')
  }
  return async ({ apiKey, deviceId }, platform) => {
    const own = headers ? await headers() : {}
    const request = { method: 'POST', url, headers: own, body: JSON.stringify({ apiKey, deviceId }), timeoutMs: 30_000 }
    const { status, value } = readReply(await createTransport(platform)(request))
    const { timestamp, signature, error } = isObject(value) ? value : ({} as Record<string, unknown>)
    if (status === 200 && typeof timestamp === 'string' && typeof signature === 'string') return { timestamp, signature }
    const code = status === 401 || status === 403 ? 'auth' : status === 200 ? 'protocol' : 'http'
    const reason = typeof error === 'string' ? `: ${error}` : ''
    throw new PlayerDataError(
      code,
      `Your signing endpoint did not sign (${status})${reason}. Check its authorize function and the headers given to remoteSigner.`,
      { status },
    )
  }
}

/** What `developmentSigner` takes. */
export interface DevelopmentSignerOptions {
  /** The secret of the development key pair. Never ship another one to players: whoever has the game has the secret. */
  secret: string
  /**
   * Sign on a public page, too. Only for a page that nobody else can open.
   * @default false
   */
  anywhere?: boolean
}

/**
 * Signs with a secret that the game itself holds: for the development key pair.
 * Works on loopback and private-network pages and where there is no page; elsewhere it is a `config` error.
 */
export function developmentSigner({ secret, anywhere = false }: DevelopmentSignerOptions): Signer {
  if (typeof secret !== 'string' || secret === '') {
    throw new PlayerDataError('config', 'developmentSigner needs the secret of your development key pair: developmentSigner({ secret })')
  }
  return async (request, platform) => {
    if (!anywhere && platform.pageHost !== undefined && !isPrivateHost(platform.pageHost)) {
      throw new PlayerDataError(
        'config',
        `developmentSigner puts the API secret into the page, and ${platform.pageHost} is public. Sign on your server instead, or pass anywhere: true for a page that only you can open.`,
      )
    }
    return { timestamp: request.timestamp, signature: await createSignature(secret, request, platform.hmacSha256) }
  }
}

/** Whether a page of that host can only be opened from the machine itself or its own network. */
export function isPrivateHost(host: string): boolean {
  const names = /^(|localhost|.*[.](localhost|local|test|internal|lan|home[.]arpa))$/
  const addresses = /^((127|10)([.]\d+)|192[.]168|169[.]254|172[.](1[6-9]|2\d|3[01]))([.]\d+){2}$|^\[(::1|(f[cd]|fe80:)[\da-f:]+)\]$/
  return names.test(host) || addresses.test(host)
}
