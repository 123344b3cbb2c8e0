// The player's session: holds the tokens, renews them in time, and carries requests under them. No refusal loops: a call that gets a
// 401 makes one renewal and is sent once more, and after a refused login the automatic ones rest.

import { isOutage, isPlayerDataError, PlayerDataError } from './error.ts'
import { singleFlight } from './flight.ts'
import type { Grant } from './grant.ts'
import type { HttpRequest, HttpResponse, Platform } from './port.ts'
import { isLogout, loggedOut, type Renew } from './renewal.ts'
import { backoffMs } from './retry.ts'
import { isAlive, REST_MS, renewalAt, restMs, type TokenStore, type Tokens } from './tokens.ts'
import type { Send } from './transport.ts'

/** Who is logged in. */
export interface Session {
  /** The player, as the service knows them. */
  readonly userId: string
  /** The device that logged in. */
  readonly deviceId: string
  /** The game that the session belongs to. */
  readonly gameId: string
  /** The studio. */
  readonly tenantId: string
  /** When the access token expires: epoch milliseconds in the device's own clock, so that `expiresAt - Date.now()` is the time left. */
  readonly expiresAt: number
  /** The service could not be reached: status and store are the last known. It renews when the network is back. */
  readonly offline: boolean
}

export interface SessionDeps {
  renew: Renew
  store: TokenStore
  platform: Platform
  send: Send
  /** The session is another one now, or none. `here`: this tab got it from the service, and `config` came along. */
  onChange(session: Session | null, here: boolean, config?: Grant['playerConfig']): void
  /** A failure that no caller is there to see. */
  onError(error: unknown): void
}

export interface SessionKeeper {
  readonly current: Session | null
  /** The stored session if it is good, else renewed, else a signed login, else the stored one offline. */
  logIn(): Promise<Session>
  /** New tokens, whatever the age of those at hand. */
  renew(): Promise<Session>
  /** Sends under the session's token, renewed where needed; `via` is another way out than the usual one. */
  send(request: HttpRequest, via?: Send): Promise<HttpResponse>
  /** The request under the token at hand, good or not. */
  authorised(request: HttpRequest): HttpRequest
  /** Forgets the session, here and in the store. `mark` is a value that no other logout has. */
  logOut(mark: string): Promise<void>
  /** Takes over what another tab has stored. */
  reload(): Promise<void>
  /** The host woke up, or the network is back. */
  resume(): Promise<void>
  /** Stops the timer, and lets nothing that is under way take effect. */
  close(): void
}

/** After a refused login, automatic ones rest for so long. */
const REFUSAL_MS = 30_000
/** No timer is longer: the longest ones overflow, and clocks get moved. */
const RECHECK_MS = 3_600_000

export function createSession({ renew, store, platform, send, onChange, onError }: SessionDeps): SessionKeeper {
  let tokens: Tokens | null = null
  let session: Session | null = null
  let lastLogout: unknown
  /** Counts logouts and the close: what began before one must not take effect after it. */
  let epoch = 0
  /** A renewal was just made: the clock may not ask for another one yet. Ended by a timer, since the clock may be what is wrong. */
  let resting = false
  let cancelRest = () => {}
  let failures = 0
  /** Why the last signed login was refused; for a while the answer to automatic ones. */
  let refusal: PlayerDataError | undefined
  let cancelRefusal = () => {}
  let told: unknown
  let cancelTimer = () => {}

  const logIn = singleFlight(
    async () => {
      let began = epoch
      refusal = undefined
      const mark = await store.lastLogout()
      const stored = await store.read()
      checkWanted(began)
      if (tokens && isLogout(mark, lastLogout)) leave() // another tab's, of which no message came
      began = epoch
      lastLogout = mark
      const known = tokens || stored
      if (known && isAlive(known, platform.now())) {
        adopt({ tokens: known })
      } else {
        try {
          await renewTokens()
        } catch (error) {
          if (began !== epoch || !known || !isOutage(error)) throw error
          goOffline(known)
        }
      }
      return current()
    },
    () => epoch,
  )

  /** `refused` is the access token that the service has just refused, if that is why. */
  const renewTokens = singleFlight(
    async (refused?: string) => {
      const began = epoch
      if (refusal) throw refusal
      try {
        const grant = await renew({ tokens, refused, lastLogout, wanted: () => began === epoch })
        checkWanted(began)
        rest(grant.tokens)
        adopt(grant)
      } catch (error) {
        if (began === epoch && isPlayerDataError(error) && error.code === 'auth') {
          if (error.status === undefined)
            leave() // logged out by another tab
          else refuse(error)
        }
        throw error
      }
    },
    () => epoch,
  )

  function checkWanted(began: number): void {
    if (began !== epoch) throw loggedOut()
  }

  function adopt({ tokens: next, playerConfig, fresh = false }: Grant): void {
    const isNew = !session || session.offline || next.accessToken !== tokens?.accessToken
    tokens = next
    failures = 0
    refusal = undefined
    if (isNew) {
      session = toSession(next, false)
      onChange(session, fresh, playerConfig)
    }
    arm()
  }

  function goOffline(stale: Tokens): void {
    tokens = stale
    failures = Math.max(failures, 1)
    if (!session?.offline) {
      session = toSession(stale, true)
      onChange(session, false)
    }
    arm()
  }

  function leave(): void {
    epoch += 1
    tokens = null
    failures = 0
    cancelTimer()
    if (!session) return
    session = null
    onChange(null, false)
  }

  /** Sets the timer for the next renewal, or for the next try of one that failed. */
  function arm(): void {
    cancelTimer()
    if (!tokens) return
    // Tokens that live for seconds are renewed by the calls that need them, not while nothing happens.
    const dueIn = Math.max(renewalAt(tokens) - platform.now(), tokens.lifetimeMs < REST_MS || resting ? REST_MS : 0)
    const wait = failures > 0 ? backoffMs(failures, (platform.random(1)[0] as number) / 256) : dueIn
    cancelTimer = platform.after(Math.min(wait, RECHECK_MS), wait > RECHECK_MS ? arm : renewInBackground)
  }

  function refuse(error: PlayerDataError): void {
    cancelRefusal()
    refusal = error
    cancelRefusal = platform.after(REFUSAL_MS, () => {
      refusal = undefined
    })
  }

  function rest(renewed: Tokens): void {
    cancelRest()
    resting = true
    cancelRest = platform.after(restMs(renewed), () => {
      resting = false
    })
  }

  function renewInBackground(): void {
    const began = epoch
    renewTokens().catch((error) => {
      if (began !== epoch || !tokens) return
      failures += 1
      if (isOutage(error)) {
        if (!isAlive(tokens, platform.now())) return goOffline(tokens)
      } else if (error !== told) {
        told = error
        onError(error)
      }
      arm()
    })
  }

  /** Renews where the clock says so: at once if the token is dead, on the side if it still serves. */
  async function renewIfDue(held: Tokens): Promise<void> {
    const now = platform.now()
    if (now >= held.receivedAt && now < renewalAt(held)) return
    if (resting) return // the clock has been moved; the service is the judge
    if (isAlive(held, now)) renewInBackground()
    else await renewTokens()
  }

  function authorised(request: HttpRequest): HttpRequest {
    const { accessToken, tenantId, gameId, userId } = held()
    // The events endpoint asks for the tenant alone.
    const ids = /[/]v1[/]events$/.test(request.url) ? {} : { 'x-game-id': gameId, 'x-player-id': userId }
    const headers = Object.assign({}, request.headers, { authorization: `Bearer ${accessToken}`, 'x-tenant-id': tenantId }, ids)
    return Object.assign({}, request, { headers })
  }

  function held(): Tokens {
    if (!tokens) throw new PlayerDataError('auth', 'There is no session. Call login() first and wait for it.')
    return tokens
  }

  function current(): Session {
    held()
    return session as Session
  }

  return {
    get current() {
      return session
    },
    logIn,
    async renew() {
      await renewTokens(held().accessToken)
      return current()
    },
    authorised,
    async send(request, via = send) {
      await renewIfDue(held())
      const { accessToken } = held()
      const response = await via(authorised(request))
      if (response.status !== 401) return response
      // A renewal that was under way already may have found that the token serves on. It does not.
      for (let tries = 0; tries < 2 && held().accessToken === accessToken; tries += 1) await renewTokens(accessToken)
      return via(authorised(request))
    },
    async logOut(mark) {
      lastLogout = mark
      leave()
      await store.logOut(mark)
    },
    reload,
    async resume() {
      await reload()
      if (!tokens) return
      failures = 0
      if (session?.offline || !isAlive(tokens, platform.now())) renewInBackground()
      else arm()
    },
    close() {
      epoch += 1
      cancelTimer()
      cancelRest()
      cancelRefusal()
    },
  }

  async function reload(): Promise<void> {
    if (!tokens) return
    const began = epoch
    const mark = await store.lastLogout()
    const stored = await store.read()
    if (began !== epoch) return
    if (isLogout(mark, lastLogout)) leave()
    else if (stored && !stored.suspect && isAlive(stored, platform.now())) adopt({ tokens: stored })
  }
}

function toSession({ userId, deviceId, gameId, tenantId, receivedAt, lifetimeMs }: Tokens, offline: boolean): Session {
  return { userId, deviceId, gameId, tenantId, expiresAt: receivedAt + lifetimeMs, offline }
}
