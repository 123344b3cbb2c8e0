// What the two auth endpoints grant: tokens, for a signature or for a refresh token. Nothing is kept here.

import type { components } from '../generated/openapi.ts'
import type { Api } from './api.ts'
import type { Clock } from './clock.ts'
import type { Device } from './device.ts'
import { isPlayerDataError, PlayerDataError } from './error.ts'
import { readTokenTimes } from './jwt.ts'
import type { Platform } from './port.ts'
import { dataOf, errorOf, isObject } from './reply.ts'
import { formatTimestamp } from './signature.ts'
import type { Signer } from './signer.ts'
import type { Tokens } from './tokens.ts'

export type PlayerConfig = components['schemas']['PlayerConfig']

export interface Grant {
  tokens: Tokens
  /** The login's; a refresh need not bring one. */
  playerConfig?: PlayerConfig
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

/** The service allows 5 minutes; a little less, since the measure has an error of its own. */
const WINDOW_MS = 240_000

export function createGrants({ api, clock, device, platform, signer, apiKey }: GrantDeps): Grants {
  /** One attempt. `tooFarMs` is by how much the signed time was off, where it is known and more than the service allows. */
  async function attempt(): Promise<{ grant: Grant } | { error: PlayerDataError; tooFarMs?: number }> {
    const deviceId = await device.id()
    const { timestamp, signature } = await signer({ apiKey, deviceId, timestamp: formatTimestamp(clock.now()) }, platform)
    const sentAt = platform.now()
    const result = await api.POST('/auth/login', { body: { apiKey, deviceId, timestamp, signature } })
    if (result.response.ok) {
      const data = dataOf(result, ['accessToken', 'expiresIn', 'userId', 'tenantId', 'gameId', 'playerConfig'])
      return { grant: { tokens: tokensOf({ ...data, deviceId }, sentAt), playerConfig: data.playerConfig } }
    }
    const error = errorOf(result.response.status, result.error)
    if (error.status !== 400) return { error }
    if (!clock.known) return { error: clockError(error) }
    const offMs = Date.parse(timestamp) - clock.now()
    return Math.abs(offMs) > WINDOW_MS ? { error: clockError(error, offMs), tooFarMs: offMs } : { error }
  }

  function tokensOf(
    data: Record<string, unknown> & Pick<Tokens, 'accessToken' | 'userId' | 'deviceId' | 'gameId' | 'tenantId'>,
    sentAt: number,
  ): Tokens {
    const { accessToken, refreshToken, expiresIn, userId, deviceId, gameId, tenantId } = data
    const receivedAt = platform.now()
    const { issuedAt, lifetimeMs = Number.POSITIVE_INFINITY } = readTokenTimes(accessToken)
    if (issuedAt !== undefined) clock.learn(issuedAt, sentAt, receivedAt)
    return {
      ...{ accessToken, userId, deviceId, gameId, tenantId, receivedAt },
      ...(typeof refreshToken === 'string' && { refreshToken }),
      lifetimeMs: Math.min(Math.max(0, Number(expiresIn) || 0) * 1000, lifetimeMs),
    }
  }

  return {
    async logIn() {
      let outcome = await attempt()
      if ('error' in outcome && outcome.tooFarMs !== undefined) outcome = await attempt()
      if ('error' in outcome) throw outcome.error
      return outcome.grant
    },

    async refresh(tokens) {
      const { refreshToken = '' } = tokens
      const sentAt = platform.now()
      try {
        const { data, error, response } = await api.POST('/auth/refresh', { body: { refreshToken } })
        if (response.ok) {
          // The reply is not specified: whatever it leaves out stays as it was.
          if (!isObject(data) || typeof data.accessToken !== 'string') {
            const said = new PlayerDataError('protocol', 'The reply to the refresh holds no access token.', { status: response.status })
            return { outcome: 'refused', error: said }
          }
          const merged = {
            ...tokens,
            expiresIn: tokens.lifetimeMs / 1000,
            ...data,
            deviceId: tokens.deviceId,
            accessToken: data.accessToken,
          }
          const playerConfig = isObject(data.playerConfig) ? { playerConfig: data.playerConfig as unknown as PlayerConfig } : {}
          return { outcome: 'granted', grant: { tokens: tokensOf(merged, sentAt), ...playerConfig } }
        }
        const { status } = response
        const outcome = status === 429 || status === 503 ? 'busy' : status >= 500 ? 'unknown' : 'refused'
        return { outcome, error: errorOf(status, error) }
      } catch (error) {
        if (isPlayerDataError(error)) return { outcome: 'unknown', error }
        throw error
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
