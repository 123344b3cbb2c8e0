// The player: what a game holds. Wires the parts together; knows no host. Nothing is started before the first call.

import { type Api, createApi } from './api.ts'
import { createClock } from './clock.ts'
import { createDevice } from './device.ts'
import { createEmitter } from './emitter.ts'
import { PlayerDataError } from './error.ts'
import type { AdImpressionPayload, TrackOptions } from './event.ts'
import { createEvents, type EventStats } from './events.ts'
import { createGrants, type Grant } from './grant.ts'
import { createId } from './id.ts'
import { createLock } from './lock.ts'
import { memoryStorage } from './memory.ts'
import { type Consent, checkConsent, checkOptions, type PlayerDataOptions } from './options.ts'
import type { DropReason } from './outbox.ts'
import type { Host, HttpRequest, KeyValue, OnCancel, Platform } from './port.ts'
import { createProfile, type Known, type PlayerStatus, type StoreConfig } from './profile.ts'
import { createRenewal } from './renewal.ts'
import { dataOf, errorOf, parse } from './reply.ts'
import { createSession, type Session } from './session.ts'
import { createShelf } from './shelf.ts'
import { createTabs, type TabMessage } from './tabs.ts'
import { createTimers } from './timers.ts'
import { createTokenStore } from './tokens.ts'
import { createTransport, type RequestNews } from './transport.ts'

/**
 * - `signed-out`: no session
 * - `online`: a session
 * - `offline`: a session, and the service out of reach
 * - `closed`: after `close()`
 */
export type PlayerState = 'signed-out' | 'online' | 'offline' | 'closed'

/** What `on()` tells of. Changes that another tab made are told, too. */
export interface PlayerEvents {
  /** Who is logged in now; null after a logout. Told at renewals, too. */
  session: Session | null
  /** The status has changed. */
  status: PlayerStatus | null
  /** The store has changed. */
  store: StoreConfig | null
  /** The state has changed. */
  state: PlayerState
  /** The service has taken so many events. */
  delivered: { events: number; bytes: number }
  /** Events are gone for good, and why; `message` is what the service said of those that it refused. */
  dropped: { reason: DropReason; events: unknown[]; message?: string }
  /** A failure that no call of yours is there to receive. The game goes on. */
  error: PlayerDataError
  /** A request to the service is over. For logs and tools: nothing secret is in it. */
  request: RequestNews
}

/** What the player can tell of itself. Counts are of this instance, since it was made. */
export interface PlayerStats extends EventStats {
  /** As `on('state')` tells it. */
  state: PlayerState
  /** `weak` where the host has no random numbers fit for secrets: the ids made of them are only unlikely to meet. */
  random: 'secure' | 'weak'
  /** How far the device's clock is behind the service's (positive) or ahead of it (negative), in milliseconds; 0 while unknown. */
  clockOffsetMs: number
}

/** The events that a game may track, by type. Without a catalogue of its own, a game may track any. */
export interface OpenEvents {
  /** The one type whose payload the service shows. Any other type takes any object. */
  Ad_Impression: AdImpressionPayload
  [type: string]: Record<string, unknown>
}

/** The arguments after the type: a payload that has required members cannot be left out. */
export type TrackArguments<Payload> =
  Record<never, never> extends Payload ? [payload?: Payload, options?: TrackOptions] : [payload: Payload, options?: TrackOptions]

/** The player: what a game holds. Nothing is sent, stored or started before the first call. */
export interface PlayerData<Catalogue extends object = OpenEvents> {
  /**
   * Logs the player in: with the kept session if it is good, else by renewing it, else by a signed login. Without network a kept session
   * starts offline. `status` and `store` are filled without further calls.
   */
  login(): Promise<Session>
  /** Gets new tokens now, whatever the age of the old ones. Not needed: it happens by itself in time. */
  renew(): Promise<Session>
  /** Sends what waits, 5 s at most, then forgets the session here and in every tab. Calls the service where `logoutEndpoint` says how. */
  logout(): Promise<void>
  /** Who is logged in, or null. */
  readonly session: Session | null
  /** The last known status, or null. */
  readonly status: PlayerStatus | null
  /** The last known store, or null. */
  readonly store: StoreConfig | null
  /** Asks the service for the status. `status` and the other tabs have it then, too. */
  fetchStatus(): Promise<PlayerStatus>
  /** Asks the service for the store. `store` and the other tabs have it then, too. */
  fetchStore(): Promise<StoreConfig>
  /** The typed client, authorised, for any path of the contract. */
  readonly api: Api
  /**
   * Takes one event: synchronous, and done in microseconds. The payload may be left out where its type allows it. Time and metadata are
   * filled in, and for `Ad_Impression` the player and the session. Throws a `config` error for what cannot be sent, `closed` after the
   * close, and nothing else.
   */
  track<Type extends keyof Catalogue & string>(type: Type, ...rest: TrackArguments<Catalogue[Type]>): void
  /** Sends now all that waits: past a backoff, but never before the service's own `Retry-After`. Never rejects for want of a network. */
  flush(): Promise<{ delivered: number; remaining: number }>
  /** Resolves when every event tracked so far is stored, as `stats().durability` says. */
  persisted(): Promise<void>
  /** Whether events may be stored and sent. `denied` purges what is kept. Throws a `config` error for any other word. */
  setConsent(consent: Consent): void
  /** Calls `listener` at each such event. Returns the function that ends it. */
  on<Name extends keyof PlayerEvents>(name: Name, listener: (event: PlayerEvents[Name]) => void): () => void
  /** The numbers of now. Costs nothing: no request, no look into the storage. */
  stats(): PlayerStats
  /** Runs the player's timers that are due. For hosts without timers, and engines that freeze them: call it once a frame. Else not needed. */
  tick(): void
  /** Ends everything: no timer, listener, lock or connection is left behind. The kept session stays for the next start. */
  close(): Promise<void>
}

/** How long a logout waits for the service. */
const LOGOUT_MS = 5000

export function createPlayer(options: PlayerDataOptions, host: Host): PlayerData {
  const checkedOptions = checkOptions(options)
  const { baseUrl, apiKey, signer, deviceId, tokens, timeoutMs, logoutEndpoint } = checkedOptions
  const namespace = ['player-data', baseUrl, apiKey, deviceId || ''].map(encodeURIComponent).join('/')
  const cancels = new Set<() => void>()
  const timers = createTimers(host.now, host.after)
  const platform = bound(host, timers.after, cancels)

  const events = createEmitter<PlayerEvents>((run) => platform.after(0, run))
  const onError = (error: unknown) => events.emit('error', error as PlayerDataError)
  let troubled = false
  const onTrouble = (cause: unknown) => {
    if (troubled) return
    troubled = true
    const message = 'The host’s storage fails. All is kept in memory meanwhile; free some space, or leave private browsing.'
    onError(new PlayerDataError('storage', message, { cause }))
  }
  const exclusively = createLock(platform, namespace)
  const tabs = createTabs(platform, namespace)
  const clock = createClock(platform.now)
  const send = createTransport(platform, clock, (news) => events.emit('request', news))

  /** What cannot be read counts as absent: then there is a login, and the game goes on. */
  const shelf = (host: KeyValue): KeyValue => {
    const kept = createShelf({ storage: host, after: platform.after, onTrouble })
    return Object.assign({}, kept, { get: (keys: string[]) => kept.get(keys).catch(() => keys.map(() => undefined)) })
  }
  const storage = shelf(platform.storage)
  const place = tokens === 'persistent' ? storage : shelf((tokens === 'session' && platform.sessionStorage) || memoryStorage())
  const device = createDevice({ storage, random: platform.random, exclusively, namespace }, deviceId)
  const store = createTokenStore(place, namespace)
  const profile = createProfile(place, namespace, events.emit)

  const grants = createGrants({ api: createApi(baseUrl, timeoutMs, send), clock, device, platform, signer, apiKey })
  const session = createSession({
    renew: createRenewal({ grants, store, platform, exclusively }),
    store,
    platform,
    send,
    onError,
    onChange(current, here, config) {
      settled = settled.then(() => settle(current, here, config))
    },
  })
  const tracked = createEvents({
    options: checkedOptions,
    namespace,
    platform,
    clock,
    session,
    send,
    onError,
    onTrouble,
    createId: () => createId(platform.random),
    onDelivered: (event) => events.emit('delivered', event),
    onDropped: (event) => events.emit('dropped', event),
  })
  const api = createApi(baseUrl, timeoutMs, (request) =>
    guarded(async () => {
      // Else it would be another host's name: the token goes to this one alone.
      if (!request.url.startsWith(`${baseUrl}/`)) throw new PlayerDataError('config', 'A path of player.api must start with a slash.')
      return request.url.startsWith(`${baseUrl}/auth/`) ? send(request) : session.send(request)
    }),
  )

  let started = false
  let closed = false
  let stops: (() => void)[] = []
  let settled = Promise.resolve()
  let toldState: PlayerState = 'signed-out'

  /** Everything that a new session, or the end of one, brings with it; one after the other. */
  async function settle(current: Session | null, here: boolean, config?: Grant['playerConfig']): Promise<void> {
    if (!current) await profile.forget()
    else if (config) await profile.update(current.userId, { status: config.playerStatus, store: config.storeConfig })
    else await profile.restore(current.userId)
    if (closed) return
    if (current) await tracked.welcome()
    events.emit('session', current)
    tellState()
    if (current && here) tabs.tell({ kind: 'session' })
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
    throw closedError()
  }

  /** Status and store are there, too, when it resolves. */
  function settledSession(get: () => Promise<Session>): Promise<Session> {
    return guarded(async () => {
      const made = await get()
      await settled
      return session.current || made
    })
  }

  function within(ms: number, work: Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const cancel = platform.after(ms, resolve)
      const done = () => {
        cancel()
        resolve()
      }
      work.then(done, done)
    })
  }

  /** The service's own logout, where the game knows of one: with the token at hand, since a new one would be for nothing. */
  async function callLogout(): Promise<void> {
    if (!logoutEndpoint || !session.current) return
    const { method, path } = logoutEndpoint
    try {
      const { status, body } = await send(session.authorised({ method, url: baseUrl + path, headers: {}, timeoutMs: LOGOUT_MS }))
      if (status >= 300) onError(errorOf(status, parse(body)))
    } catch (error) {
      onError(error)
    }
  }

  function start(): void {
    started = true
    tracked.start()
    stops = [tabs.listen(hear)]
    if (platform.onResume) stops.push(platform.onResume(() => session.resume()))
  }

  function hear(message: TabMessage): void {
    if (message.kind === 'logout' && tokens !== 'persistent') session.logOut(message.mark)
    else if (message.kind !== 'profile')
      session.reload() // the shared store has the truth; a message may be old
    else settled = settled.then(() => (session.current ? profile.restore(session.current.userId) : undefined))
  }

  /** Asks for news of the player, and takes them if it is still the same one. */
  async function ask<Name extends keyof Known, T extends Known[Name]>(name: Name, call: () => Promise<T>): Promise<T> {
    const asker = session.current?.userId
    const data = await call()
    if (asker !== undefined && session.current?.userId === asker) {
      await profile.update(asker, { [name]: data })
      tabs.tell({ kind: 'profile' })
    }
    return data
  }

  return {
    login: () => settledSession(session.logIn),
    renew: () => settledSession(session.renew),
    logout: () =>
      guarded(async () => {
        if (session.current) await within(LOGOUT_MS, tracked.flush().then(callLogout))
        const mark = createId(platform.random)
        await session.logOut(mark)
        tabs.tell({ kind: 'logout', mark })
        await settled
      }),
    get session() {
      return session.current
    },
    get status() {
      return profile.known.status
    },
    get store() {
      return profile.known.store
    },
    fetchStatus: () => ask('status', async () => dataOf(await api.GET('/v1/player/status'), ['isPayer'])),
    fetchStore: () => ask('store', async () => dataOf(await api.GET('/v1/player/store_configs'), ['activeSkus'])),
    api,
    track(type, ...[payload, trackOptions]) {
      if (closed) throw closedError()
      if (!started) start()
      tracked.track(type, payload, trackOptions)
    },
    flush: () => guarded(tracked.flush),
    persisted: () => guarded(tracked.persisted),
    setConsent(consent) {
      checkConsent(consent)
      tracked.setConsent(consent)
    },
    on: events.on,
    stats: () =>
      Object.assign(tracked.stats(), {
        state: state(),
        random: platform.randomIsWeak ? ('weak' as const) : ('secure' as const),
        clockOffsetMs: clock.offsetMs(),
      }),
    tick: timers.tick,
    async close() {
      if (closed) return
      closed = true
      session.close()
      await tracked.close()
      for (const cancel of cancels) cancel()
      timers.clear()
      for (const stop of stops) stop()
      tellState()
      events.clear()
      await settled
    },
  }
}

/** The host, with the player's own timers, and with all that is begun on it known in `cancels`, so that the close can end it. */
function bound(host: Host, after: Platform['after'], cancels: Set<() => void>): Platform {
  const { http, lock } = host
  const onCancel: OnCancel = (run) => {
    cancels.add(run)
    return () => void cancels.delete(run)
  }
  const platform: Platform = Object.assign({}, host, { after, http: (request: HttpRequest) => http(request, onCancel) })
  if (lock) platform.lock = (name, waitMs, run) => lock(name, waitMs, run, onCancel)
  return platform
}

function closedError(): PlayerDataError {
  return new PlayerDataError('closed', 'This player was closed. Make another one with createPlayerData.')
}
