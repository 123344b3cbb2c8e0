// The player's session with the service: logs in, holds the tokens, and authorises requests. Tokens never leave this file except in
// the headers of a request to the service.

import type { components } from '../generated/openapi.ts'
import type { Api } from './api.ts'
import type { Device } from './device.ts'
import { PlayerDataError } from './error.ts'
import type { HttpRequest, Platform } from './port.ts'
import { dataOf } from './reply.ts'
import { formatTimestamp } from './signature.ts'
import type { Signer } from './signer.ts'

export type PlayerConfig = components['schemas']['PlayerConfig']
type LoginResponse = components['schemas']['LoginResponse']

/** Who is logged in. */
export interface Session {
  userId: string
  deviceId: string
  gameId: string
  tenantId: string
  /** When the access token expires, in the device's own clock: `expiresAt - Date.now()` is the time left. */
  expiresAt: number
}

export interface SessionDeps {
  /** The client that sends without authorisation. */
  api: Api
  platform: Platform
  device: Device
  signer: Signer
  apiKey: string
}

export interface SessionKeeper {
  current(): Session | null
  /** Signs and logs in. Calls that overlap share one login. */
  login(): Promise<{ session: Session; playerConfig: PlayerConfig }>
  /** The request with the headers of the session. An `auth` error without one. */
  authorise(request: HttpRequest): HttpRequest
}

export function createSession({ api, platform, device, signer, apiKey }: SessionDeps): SessionKeeper {
  let session: Session | null = null
  let accessToken = ''
  let pending: ReturnType<SessionKeeper['login']> | undefined

  async function logIn() {
    const deviceId = await device.id()
    const { timestamp, signature } = await signer({ apiKey, deviceId, timestamp: formatTimestamp(platform.now()) }, platform)
    const result = await api.POST('/auth/login', { body: { apiKey, deviceId, timestamp, signature } })
    const data = dataOf(result, ['accessToken', 'expiresIn', 'userId', 'tenantId', 'gameId', 'playerConfig'])
    accessToken = data.accessToken
    session = toSession(data, platform.now())
    return { session, playerConfig: data.playerConfig }
  }

  return {
    current: () => session,
    login() {
      pending =
        pending ||
        logIn().then(
          (result) => {
            pending = undefined
            return result
          },
          (error) => {
            pending = undefined
            throw error
          },
        )
      return pending
    },
    authorise(request) {
      if (!session) throw new PlayerDataError('auth', 'There is no session yet. Call login() first and wait for it.')
      return {
        ...request,
        headers: {
          ...request.headers,
          authorization: `Bearer ${accessToken}`,
          'x-tenant-id': session.tenantId,
          'x-game-id': session.gameId,
          'x-player-id': session.userId,
        },
      }
    },
  }
}

function toSession({ userId, deviceId, gameId, tenantId, expiresIn }: LoginResponse, receivedAt: number): Session {
  return { userId, deviceId, gameId, tenantId, expiresAt: receivedAt + expiresIn * 1000 }
}
