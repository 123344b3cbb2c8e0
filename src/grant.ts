// What the two auth endpoints grant: tokens, for a signature or for a refresh token. Nothing is kept here.

import type { components } from '../generated/openapi.ts'
import type { Api, ApiResponse } from './api.ts'
import type { Clock } from './clock.ts'
import type { Device } from './device.ts'
import { isPlayerDataError, PlayerDataError } from './error.ts'
import { readTokenTimes } from './jwt.ts'
import type { Platform } from './port.ts'
import { dataOf, errorOf, isObject } from './reply.ts'
import { formatTimestamp, type SignRequest } from './signature.ts'
import type { Signed, Signer } from './signer.ts'
import type { Tokens } from './tokens.ts'

export type PlayerConfig = components['schemas']['PlayerConfig']

export interface Grant {
  tokens: Tokens
  /** The login's; a refresh need not bring one, or all of one. */
  playerConfig?: Partial<PlayerConfig>
  /** The service has just handed it out to this instance. */
  fresh?: boolean
}

/**
 * What became of a refresh token:
 * - `granted`: traded for new tokens
 * - `refused`: the service says that it is no good
 * - `busy`: the service did not take the request; the token is as it was
 * - `unknown`: it may or may not have been used up
 */
export type Refresh = { outcome: 'granted'; grant: Grant } | { outcome: 'refused' | 'busy' | 'unknown'; error: PlayerDataError }

export interface Grants {
  /** Signs and logs in: once, and once more if the clock was the trouble and has been learnt. */
  logIn(): Promise<Grant>
  refresh(tokens: Tokens): Promise<Refresh>
}

export interface GrantDeps {
  api: Api
  clock: Clock
  device: Device
  platform: Platform
  signer: Signer
  apiKey: string
}

type Ids = Pick<Tokens, 'userId' | 'deviceId' | 'gameId' | 'tenantId'>

/** The service allows 5 minutes; a little less, since the measure has an error of its own. */
const WINDOW_MS = 240_000

export function createGrants({ api, clock, device, platform, signer, apiKey }: GrantDeps): Grants {
  /** One attempt. `again`: it was refused for its time, and the time is known now. */
  async function attempt(): Promise<{ grant: Grant } | { error: PlayerDataError; again?: boolean }> {
    const deviceId = await device.id()
    const { timestamp, signature } = await signed({ apiKey, deviceId, timestamp: formatTimestamp(clock.now()) })
    const sentAt = platform.now()
    const result = await api.POST('/auth/login', { body: { apiKey, deviceId, timestamp, signature } })
    const { ok, status, headers } = result.response
    if (ok) {
      const data = dataOf(result, ['accessToken', 'expiresIn', 'userId', 'tenantId', 'gameId', 'playerConfig'])
      const { userId, tenantId, gameId } = data
      return { grant: grantOf(data, { userId, tenantId, gameId, deviceId }, sentAt, headers) }
    }
    const error = errorOf(status, result.error)
    if (status !== 400) return { error }
    // The only 400 that the service documents is for the time. Whether it was, the reply's own time tells, not its words.
    if (!headers.date) return { error: clockError(error) }
    const offMs = Date.parse(timestamp) - clock.now()
    return Math.abs(offMs) > WINDOW_MS ? { error: clockError(error, offMs), again: true } : { error }
  }

  async function signed(request: SignRequest): Promise<Signed> {
    try {
      return await signer(request, platform)
    } catch (cause) {
      if (isPlayerDataError(cause)) throw cause
      throw new PlayerDataError('network', 'The signer failed. Check that your signing endpoint can be reached.', { cause })
    }
  }

  /** Takes from a reply what has the right type; the rest stays as it was. */
  function grantOf(data: Record<string, unknown>, before: Ids & Partial<Tokens>, sentAt: number, headers: ApiResponse['headers']): Grant {
    const { accessToken, refreshToken, expiresIn, playerConfig } = data
    // A token goes into a header: what is not printable there would end up in the host's error message.
    if (typeof accessToken !== 'string' || !/^[!-~]+$/.test(accessToken)) {
      throw new PlayerDataError('protocol', 'The service’s reply holds no access token. Check what answers at baseUrl.', { status: 200 })
    }
    const receivedAt = platform.now()
    const { issuedAt, lifetimeMs: own = Number.POSITIVE_INFINITY } = readTokenTimes(accessToken)
    if (issuedAt !== undefined && !headers.date) clock.learn(issuedAt, sentAt, receivedAt)
    const stated = typeof expiresIn === 'number' ? Math.max(0, expiresIn) * 1000 : before.lifetimeMs || 0
    const { userId, deviceId, gameId, tenantId } = before
    const kept = typeof refreshToken === 'string' ? refreshToken : before.refreshToken
    const tokens: Tokens = { accessToken, userId, deviceId, gameId, tenantId, receivedAt, lifetimeMs: Math.min(stated, own) }
    if (kept !== undefined) tokens.refreshToken = kept
    const grant: Grant = { fresh: true, tokens }
    if (isObject(playerConfig)) grant.playerConfig = playerConfig
    return grant
  }

  return {
    async logIn() {
      let outcome = await attempt()
      if ('error' in outcome && outcome.again) outcome = await attempt()
      if ('error' in outcome) throw outcome.error
      return outcome.grant
    },

    async refresh(tokens) {
      const sentAt = platform.now()
      try {
        const { data, error, response } = await api.POST('/auth/refresh', { body: { refreshToken: tokens.refreshToken || '' } })
        const { ok, status, headers } = response
        if (!ok)
          return {
            outcome: status === 429 || status === 503 ? 'busy' : status >= 500 ? 'unknown' : 'refused',
            error: errorOf(status, error),
          }
        return { outcome: 'granted', grant: grantOf(isObject(data) ? data : {}, tokens, sentAt, headers) }
      } catch (error) {
        if (!isPlayerDataError(error)) throw error
        // A reply that came and holds no token: asking again with the same one would be no better.
        return { outcome: error.code === 'protocol' ? 'refused' : 'unknown', error }
      }
    },
  }
}

function clockError(refusal: PlayerDataError, offMs?: number): PlayerDataError {
  const off =
    offMs === undefined
      ? 'is probably wrong, but the service’s time could not be read here to correct it'
      : `is ${Math.round(Math.abs(offMs) / 60_000)} minutes ${offMs > 0 ? 'ahead' : 'behind'}`
  return new PlayerDataError(
    'clock',
    `The login was refused for its time: the clock that signed it ${off}. Set it to automatic, or sign on your server with remoteSigner. (${refusal.message})`,
    { status: 400, serviceCode: refusal.serviceCode, cause: refusal },
  )
}
