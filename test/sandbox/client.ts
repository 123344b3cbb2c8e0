// A client of the service written from the interface specification alone: node:crypto and fetch, nothing of ours but the sandbox it talks to.

import { createHmac } from 'node:crypto'
import { afterEach } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/index.ts'

export interface Login {
  accessToken: string
  refreshToken: string
  tokenType: string
  expiresIn: number
  userId: string
  deviceId: string
  gameId: string
  tenantId: string
  playerConfig: { playerStatus: object; storeConfig: object }
}

export const event = (adId: string, eventType = 'Ad_Impression') => ({
  eventType,
  timestamp: '2026-03-01T12:00:07.250Z',
  payload: { userId: 'u', sessionId: 's', adId, campaignId: 'c' },
  metadata: { deviceType: 'phone', osName: 'Android', osVersion: '14' },
})

export const timestampOf = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

export function loginBody({
  apiKey = 'dev-key',
  secret = 'dev-secret',
  deviceId = 'device-1',
  at = Date.now(),
  timestamp = timestampOf(at),
} = {}) {
  const signature = createHmac('sha256', secret).update(`${apiKey}|${deviceId}|${timestamp}`).digest('base64')
  return { apiKey, deviceId, timestamp, signature }
}

export function createClient(url: string) {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const headersOf = ({ accessToken, tenantId, gameId, userId }: Login) => ({
    authorization: `Bearer ${accessToken}`,
    'content-type': 'application/json',
    'x-tenant-id': tenantId,
    'x-game-id': gameId,
    'x-player-id': userId,
  })
  return {
    post,
    headersOf,
    get: (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers }),
    async login(input: Parameters<typeof loginBody>[0] = {}): Promise<Login> {
      const reply = await post('/auth/login', loginBody(input))
      if (reply.status !== 200) throw new Error(`login got ${reply.status}`)
      const body = (await reply.json()) as Login | { data: Login }
      return 'data' in body ? body.data : body
    },
    refresh: (refreshToken: string) => post('/auth/refresh', { refreshToken }),
    status: (session: Login) => fetch(`${url}/v1/player/status`, { headers: headersOf(session) }),
    store: (session: Login) => fetch(`${url}/v1/player/store_configs`, { headers: headersOf(session) }),
    send: (session: Login, events: unknown) =>
      post('/v1/events', events, { authorization: `Bearer ${session.accessToken}`, 'x-tenant-id': session.tenantId }),
  }
}

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

/** A sandbox, its client, and the end of it after the test. Every reply is held against the contract, unless told otherwise. */
export async function start(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ strict: true, ...options })
  closers.push(sandbox.close)
  return { sandbox, ...createClient(sandbox.url) }
}
