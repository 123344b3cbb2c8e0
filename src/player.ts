// The player: what a game holds. Wires the parts together; knows no host.

import type { components } from '../generated/openapi.ts'
import { type Api, createApi } from './api.ts'
import { createDevice } from './device.ts'
import { PlayerDataError } from './error.ts'
import type { Platform } from './port.ts'
import { dataOf } from './reply.ts'
import { createSession, type Session } from './session.ts'
import type { Signer } from './signer.ts'
import { createTransport } from './transport.ts'

export type PlayerStatus = components['schemas']['PlayerStatus']
export type StoreConfig = components['schemas']['StoreConfig']

export interface PlayerDataOptions {
  /** Base address of the service, `https://api.example.com`. */
  baseUrl: string
  /** The API key issued to the studio. */
  apiKey: string
  /** Who signs logins: your server in production, `developmentSigner` with a development key pair. */
  signer: Signer
  /** Identifies this device to the service. By default made once and kept. */
  deviceId?: string
  /** How long to wait for a reply. Default 30 000. */
  timeoutMs?: number
  /** Replaces parts of the host, for example its storage. */
  platform?: Partial<Platform>
}

export interface PlayerData {
  /** Logs the player in. `status` and `store` are filled from the reply, without further calls. */
  login(): Promise<Session>
  /** Who is logged in, or null. */
  readonly session: Session | null
  /** The last known status, or null before the first login. */
  readonly status: PlayerStatus | null
  /** The last known store, or null before the first login. */
  readonly store: StoreConfig | null
  /** Asks the service for the status. */
  fetchStatus(): Promise<PlayerStatus>
  /** Asks the service for the store. */
  fetchStore(): Promise<StoreConfig>
  /** The typed client, authorised, for any path of the contract. */
  readonly api: Api
}

export function createPlayer(options: PlayerDataOptions, platform: Platform): PlayerData {
  const { baseUrl, apiKey, signer, deviceId, timeoutMs = 30_000 } = checked(options)
  const send = createTransport(platform)
  const device = createDevice(platform, `${baseUrl}|${apiKey}`, deviceId)
  const session = createSession({ api: createApi(baseUrl, timeoutMs, send), platform, device, signer, apiKey })
  const api = createApi(baseUrl, timeoutMs, async (request) =>
    send(request.url.startsWith(`${baseUrl}/auth/`) ? request : session.authorise(request)),
  )
  let status: PlayerStatus | null = null
  let store: StoreConfig | null = null

  return {
    async login() {
      const { session: current, playerConfig } = await session.login()
      status = playerConfig.playerStatus
      store = playerConfig.storeConfig
      return current
    },
    get session() {
      return session.current()
    },
    get status() {
      return status
    },
    get store() {
      return store
    },
    async fetchStatus() {
      status = dataOf(await api.GET('/v1/player/status'), ['isPayer'])
      return status
    },
    async fetchStore() {
      store = dataOf(await api.GET('/v1/player/store_configs'), ['activeSkus'])
      return store
    },
    api,
  }
}

function checked(options: PlayerDataOptions): PlayerDataOptions {
  const { baseUrl, apiKey, signer, deviceId, timeoutMs } = options
  if (typeof baseUrl !== 'string' || !/^https?:[/][/][^/]/.test(baseUrl)) {
    throw wrong('baseUrl', 'the service’s address with http:// or https://, for example https://api.example.com')
  }
  if (typeof apiKey !== 'string' || apiKey === '') throw wrong('apiKey', 'the API key issued to your studio')
  if (typeof signer !== 'function') throw wrong('signer', 'a function, for example developmentSigner({ secret })')
  if (deviceId !== undefined && (typeof deviceId !== 'string' || deviceId === '')) throw wrong('deviceId', 'a string that is not empty')
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs < 2 ** 31)) throw wrong('timeoutMs', 'a number of milliseconds above zero')
  return { ...options, baseUrl: baseUrl.replace(/[/]+$/, '') }
}

function wrong(option: string, expected: string): PlayerDataError {
  return new PlayerDataError('config', `createPlayerData: ${option} must be ${expected}.`)
}
