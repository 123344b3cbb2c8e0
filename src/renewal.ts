// Renews tokens, once for all who ask: refresh, else a signed login. Across tabs a lock makes it one at a time, and the store tells
// each tab what another has done. What must hold:
// - a refresh token whose use got no reply is never sent again: it is marked in the store before it is sent
// - a logout wins: the store's logout mark is compared before and after new tokens are written

import { PlayerDataError } from './error.ts'
import type { Grant, Grants } from './grant.ts'
import type { Exclusively } from './lock.ts'
import type { Platform } from './port.ts'
import { isAlive, type TokenStore, type Tokens } from './tokens.ts'

export interface RenewalDeps {
  grants: Grants
  store: TokenStore
  platform: Platform
  exclusively: Exclusively
}

export interface RenewalRequest {
  /** The tokens that the caller has, if any. */
  tokens: Tokens | null
  /** The access token that the service has refused, if that is why. Otherwise the clock asks. */
  refused?: string | undefined
  /** The last logout that the caller knows of. */
  lastLogout: unknown
  /** Whether the caller still wants the result. */
  wanted(): boolean
}

/** Resolves with tokens that are better than before, or with the old ones where they serve on; `auth` if a logout came in between. */
export type Renew = (request: RenewalRequest) => Promise<Grant>

export function createRenewal({ grants, store, platform, exclusively }: RenewalDeps): Renew {
  return (request) => exclusively('renewal', () => renew(request))

  async function renew(request: RenewalRequest): Promise<Grant> {
    const { tokens, refused } = request
    await guard(request)
    const stored = await store.read()
    if (stored && isNews(stored, request)) return { tokens: stored } // another tab was faster
    const known = stored || tokens
    if (known?.refreshToken && !known.suspect) {
      const suspect = Object.assign({}, known, { suspect: true })
      await commit(suspect, request)
      const refresh = await grants.refresh(known)
      if (refresh.outcome !== 'granted') await guard(request)
      if (refresh.outcome === 'granted') return keep(refresh.grant, request)
      const serves = isAlive(known, platform.now()) && known.accessToken !== refused
      if (refresh.outcome === 'busy') {
        await commit(known, request)
        if (serves) return { tokens: known }
        throw refresh.error
      }
      // The access token serves while it can; the next renewal is then a signed login.
      if (refresh.outcome === 'unknown' && serves) return { tokens: suspect }
    }
    return keep(await grants.logIn(), request)
  }

  async function keep(grant: Grant, request: RenewalRequest): Promise<Grant> {
    await guard(request)
    const stored = await store.read()
    // This tab was frozen meanwhile, and another went on without it: there is one session, and that is it.
    if (stored && !stored.suspect && isNews(stored, request)) return { tokens: stored }
    await commit(grant.tokens, request)
    return grant
  }

  /** Writes, and takes it back where a logout came in between. */
  async function commit(tokens: Tokens, { wanted, lastLogout }: RenewalRequest): Promise<void> {
    await store.write(tokens)
    if (isLogout(await store.lastLogout(), lastLogout)) {
      await store.remove()
      throw loggedOut()
    }
    if (!wanted()) throw loggedOut()
  }

  async function guard({ wanted, lastLogout }: RenewalRequest): Promise<void> {
    if (!wanted() || isLogout(await store.lastLogout(), lastLogout)) throw loggedOut()
  }

  function isNews(stored: Tokens, { tokens, refused }: RenewalRequest): boolean {
    return stored.accessToken !== refused && stored.accessToken !== tokens?.accessToken && isAlive(stored, platform.now())
  }
}

/** A mark that is gone tells of no logout: the browser has cleared the storage, or it failed and the memory took over. */
export function isLogout(mark: unknown, known: unknown): boolean {
  return mark !== undefined && mark !== known
}

export function loggedOut(): PlayerDataError {
  return new PlayerDataError('auth', 'The player was logged out. Call login() to start a new session.')
}
