// The player: what a game holds. Wires the parts together; knows no host. Nothing is started before the first call.

import { type Api, createApi } from './api.ts'
import { createClock } from './clock.ts'
import { createDevice } from './device.ts'
import { createEmitter } from './emitter.ts'
import { PlayerDataError } from './error.ts'
import { createFallback } from './fallback.ts'
import { createGrants, type PlayerConfig } from './grant.ts'
import { createId } from './id.ts'
import { createLock } from './lock.ts'
import { memoryStorage } from './memory.ts'
import { checkOptions, type PlayerDataOptions } from './options.ts'
import type { KeyValue, Platform } from './port.ts'
import { createProfile, type PlayerStatus, type StoreConfig } from './profile.ts'
import { createRenewal } from './renewal.ts'
import { dataOf } from './reply.ts'
import { createSession, type Session } from './session.ts'
import { createTabs, type TabMessage } from './tabs.ts'
import { createTokenStore } from './tokens.ts'
import { createTransport } from './transport.ts'

/** `signed-out`: no session. `offline`: a session, and the service out of reach. `closed`: after `close()`. */
export type PlayerState = 'signed-out' | 'online' | 'offline' | 'closed'

/** What `on()` tells of. Changes that another tab made are told, too. */
export interface PlayerEvents {
  session: Session | null
  status: PlayerStatus | null
  store: StoreConfig | null
  state: PlayerState
  /** A failure that no call of yours is there to receive. The game goes on. */
  error: PlayerDataError
}

export interface PlayerStats {
  state: PlayerState
  /** How far the device's clock is behind the service's (positive) or ahead of it (negative); 0 while unknown. */
  clockOffsetMs: number
}

export interface PlayerData {
  /**
   * Logs the player in: with the kept session if it is good, else by renewing it, else by a signed login. Without network a kept session
   * starts offline. `status` and `store` are filled without further calls.
   */
  login(): Promise<Session>
  /** Forgets the session here and in every tab. Calls the service where `logoutEndpoint` says how. */
  logout(): Promise<void>
  /** Who is logged in, or null. */
  readonly session: Session | null
  /** The last known status, or null. */
  readonly status: PlayerStatus | null
  /** The last known store, or null. */
  readonly store: StoreConfig | null
  /** Asks the service for the status. */
  fetchStatus(): Promise<PlayerStatus>
  /** Asks the service for the store. */
  fetchStore(): Promise<StoreConfig>
  /** The typed client, authorised, for any path of the contract. */
  readonly api: Api
  /** Calls `listener` at each such event. Returns the function that ends it. */
  on<Name extends keyof PlayerEvents>(name: Name, listener: (event: PlayerEvents[Name]) => void): () => void
  stats(): PlayerStats
  /** Ends everything: no timer, listener, lock or connection is left behind. The kept session stays for the next start. */
  close(): Promise<void>
}

/** How long a logout waits for the service. */
const LOGOUT_MS = 5000

export function createPlayer(options: PlayerDataOptions, host: Platform): PlayerData {
  const { baseUrl, apiKey, signer, deviceId, tokens, timeoutMs, logoutEndpoint } = checkOptions(options)
  const namespace = `player-data/${baseUrl}|${apiKey}|${deviceId || ''}`
  let cancel = () => {}
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve
  })
  const { http, lock } = host
  const platform: Platform = {
    ...host,
    http: (request) => http(request, cancelled),
    ...(lock && { lock: (name, waitMs, run) => lock(name, waitMs, run, cancelled) }),
  }

  const events = createEmitter<PlayerEvents>((run) => platform.after(0, run))
  const onError = (error: unknown) => events.emit('error', error as PlayerDataError)
  const exclusively = createLock(platform, namespace)
  const tabs = createTabs(platform, namespace)
  const clock = createClock(platform.now)
  const send = createTransport(platform, clock)

  const kept = (storage: KeyValue) => createFallback(storage, platform.after, onError)
  const storage = kept(platform.storage)
  const place = tokens === 'persistent' ? storage : kept((tokens === 'session' && platform.sessionStorage) || memoryStorage())
  const device = createDevice({ storage, random: platform.random, exclusively, namespace }, deviceId)
  const store = createTokenStore(place, namespace)
  const profile = createProfile(place, namespace, {
    onStatus: (status) => events.emit('status', status),
    onStore: (storeConfig) => events.emit('store', storeConfig),
  })

  const grants = createGrants({ api: createApi(baseUrl, timeoutMs, send), clock, device, platform, signer, apiKey })
  const session = createSession({
    renew: createRenewal({ grants, store, platform, exclusively }),
    ...{ store, platform, send, onError },
    onChange(current, config) {
      settled = settled.then(() => settle(current, config))
    },
  })
  const api = createApi(baseUrl, timeoutMs, (request) =>
    guarded(async () => {
      if (!request.url.startsWith(`${baseUrl}/`))
        throw new PlayerDataError('config', 'A call of player.api cannot have a baseUrl of its own.')
      return request.url.startsWith(`${baseUrl}/auth/`) ? send(request) : session.send(request)
    }),
  )

  let started = false
  let closed = false
  let stops: (() => void)[] = []
  let settled = Promise.resolve()
  let toldState: PlayerState = 'signed-out'

  /** Everything that a new session, or the end of one, brings with it; one after the other. */
  async function settle(current: Session | null, config?: PlayerConfig): Promise<void> {
    if (!current) await profile.forget()
    else if (config) await profile.update(current.userId, { status: config.playerStatus, store: config.storeConfig })
    else await profile.restore(current.userId)
    if (closed) return
    events.emit('session', current)
    tellState()
    if (current) tabs.tell({ kind: 'session' })
  }

  function state(): PlayerState {
    if (closed) return 'closed'
    if (!session.current) return 'signed-out'
    return session.current.offline ? 'offline' : 'online'
  }

  function tellState(): void {
    if (toldState === state()) return
    toldState = state()
    events.emit('state', toldState)
  }

  /** The first call starts the listening, and every call fails after the close. */
  async function guarded<T>(run: () => Promise<T>): Promise<T> {
    if (!closed && !started) start()
    try {
      if (!closed) return await run()
    } catch (error) {
      if (!closed) throw error
    }
    throw new PlayerDataError('closed', 'This player was closed. Make another one with createPlayerData.')
  }

  function start(): void {
    started = true
    stops = [tabs.listen(hear)]
    if (platform.onResume) stops.push(platform.onResume(() => session.resume()))
  }

  function hear(message: TabMessage): void {
    const current = session.current
    if (message.kind === 'logout') session.logOut(message.mark)
    else if (message.kind === 'session') session.reload()
    else if (current) profile.restore(current.userId)
  }

  async function update(news: { status: PlayerStatus } | { store: StoreConfig }): Promise<void> {
    const current = session.current
    if (!current) return // logged out meanwhile
    await profile.update(current.userId, news)
    tabs.tell({ kind: 'profile' })
  }

  return {
    login: () =>
      guarded(async () => {
        await session.logIn()
        await settled
        return session.current as Session
      }),
    logout: () =>
      guarded(async () => {
        if (logoutEndpoint && session.current) {
          const { method, path } = logoutEndpoint
          await session.send({ method, url: baseUrl + path, headers: {}, timeoutMs: LOGOUT_MS }).catch(onError)
        }
        const mark = createId(platform.random)
        await session.logOut(mark)
        tabs.tell({ kind: 'logout', mark })
        await settled
      }),
    get session() {
      return session.current
    },
    get status() {
      return profile.status
    },
    get store() {
      return profile.store
    },
    async fetchStatus() {
      const status = dataOf(await api.GET('/v1/player/status'), ['isPayer'])
      await update({ status })
      return status
    },
    async fetchStore() {
      const storeConfig = dataOf(await api.GET('/v1/player/store_configs'), ['activeSkus'])
      await update({ store: storeConfig })
      return storeConfig
    },
    api,
    on: events.on,
    stats: () => ({ state: state(), clockOffsetMs: clock.offsetMs() }),
    async close() {
      if (closed) return
      closed = true
      cancel()
      session.close()
      for (const stop of stops) stop()
      tellState()
      events.clear()
      await settled
    },
  }
}
