// Access and refresh tokens. An access token is a JWT that lives to the millisecond as long as it was issued for, on the sandbox's clock.
// A refresh token is opaque, works once, and is kept as a digest only.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { Player } from './player.ts'
import type { Settings } from './settings.ts'

/** All that has to be kept for the tokens to outlive a restart. */
export interface TokenState {
  key: string
  /** Access tokens of an earlier generation are expired. */
  generation: number
  /** Digest of each usable refresh token, and whose it is. */
  refreshTokens: [digest: string, userId: string][]
}

export interface TokenPair {
  accessToken: string
  refreshToken: string
}

export interface Tokens {
  issue(player: Player): Promise<TokenPair>
  /** The player of a valid access token. */
  verify(accessToken: string): Promise<string | undefined>
  /** The player of a usable refresh token; of many callers with the same token one gets it, where refresh tokens rotate. */
  redeem(refreshToken: string): string | undefined
  /** A new access token alone. */
  renew(player: Player): Promise<string>
  expireAccess(): void
  revokeRefresh(): void
  state(): TokenState
}

export function createTokens({ now, settings, past }: { now(): number; settings: Readonly<Settings>; past?: TokenState }): Tokens {
  const key = past ? Buffer.from(past.key, 'base64') : randomBytes(32)
  const refreshTokens = new Map(past?.refreshTokens)
  let generation = past?.generation ?? 0

  function renew({ userId, tenantId, gameId, deviceId }: Player): Promise<string> {
    const at = now()
    const lifetime = settings.tokenLifetime ?? settings.expiresIn
    // `iat` and `exp` are whole seconds, as most libraries expect; `until` is what counts here.
    const issuedAt = Math.floor(at / 1000)
    return new SignJWT({ tenantId, gameId, deviceId, generation, until: at + lifetime * 1000 })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(userId)
      .setJti(randomUUID())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + Math.ceil(lifetime))
      .sign(key)
  }

  return {
    renew,
    async issue(player) {
      const refreshToken = `rt_${randomBytes(24).toString('base64url')}`
      refreshTokens.set(digest(refreshToken), player.userId)
      return { accessToken: await renew(player), refreshToken }
    },
    async verify(accessToken) {
      try {
        const { payload } = await jwtVerify(accessToken, key, { algorithms: ['HS256'], currentDate: new Date(now()), clockTolerance: 1 })
        const live = payload.generation === generation && typeof payload.until === 'number' && now() < payload.until
        return live ? payload.sub : undefined
      } catch {
        return undefined // Why a token is no good is nothing that its bearer is told.
      }
    },
    redeem(refreshToken) {
      const userId = refreshTokens.get(digest(refreshToken))
      if (settings.rotateRefresh) refreshTokens.delete(digest(refreshToken))
      return userId
    },
    expireAccess: () => void generation++,
    revokeRefresh: () => refreshTokens.clear(),
    state: () => ({ key: key.toString('base64'), generation, refreshTokens: [...refreshTokens] }),
  }
}

const digest = (token: string) => createHash('sha256').update(token).digest('base64')
