// The tokens of a session and where they are kept. Times are relative: a lifetime counted from the receipt, in the device's own
// clock. No time of the service is held against the device's, so a clock that is hours off, but runs, does no harm.

import type { KeyValue } from './port.ts'
import { isObject } from './reply.ts'

export interface Tokens {
  accessToken: string
  refreshToken?: string
  /** The refresh token was sent and no reply has come. It may be used up, so it is not sent again. */
  suspect?: boolean
  /** Device clock. */
  receivedAt: number
  lifetimeMs: number
  userId: string
  deviceId: string
  gameId: string
  tenantId: string
}

/** Whether the access token can still be good. A clock that stands before the receipt was moved, and says nothing. */
export function isAlive({ receivedAt, lifetimeMs }: Tokens, now: number): boolean {
  return now >= receivedAt && now < receivedAt + lifetimeMs
}

/** When to renew: a tenth of the lifetime before its end, at most a minute before. */
export function renewalAt({ receivedAt, lifetimeMs }: Tokens): number {
  return receivedAt + lifetimeMs - Math.min(lifetimeMs / 10, 60_000)
}

export const REST_MS = 30_000

/** How far apart two renewals are, at least, that the clock asks for: not longer than the token lives, unless it is dead at birth. */
export function restMs({ lifetimeMs }: Tokens): number {
  return Math.max(1000, Math.min(lifetimeMs, REST_MS))
}

export interface TokenStore {
  /** What is stored, or null. What is there but is no record of ours counts as nothing. */
  read(): Promise<Tokens | null>
  write(tokens: Tokens): Promise<void>
  remove(): Promise<void>
  /** Forgets the tokens and leaves a mark: a value that no other logout has. */
  logOut(mark: string): Promise<void>
  /** The mark of the last logout, undefined before the first. */
  lastLogout(): Promise<unknown>
}

export function createTokenStore(storage: KeyValue, namespace: string): TokenStore {
  const key = `${namespace}/tokens`
  const logoutKey = `${namespace}/logout`
  return {
    read: async () => asTokens((await storage.get([key]))[0]),
    write: (tokens) => storage.write({ set: [[key, tokens]] }),
    remove: () => storage.write({ delete: [key] }),
    logOut: (mark) => storage.write({ delete: [key], set: [[logoutKey, mark]] }),
    lastLogout: async () => (await storage.get([logoutKey]))[0],
  }
}

const TEXTS = ['accessToken', 'userId', 'deviceId', 'gameId', 'tenantId'] as const
const NUMBERS = ['receivedAt', 'lifetimeMs'] as const

function asTokens(value: unknown): Tokens | null {
  if (!isObject(value)) return null
  const whole = TEXTS.every((name) => typeof value[name] === 'string') && NUMBERS.every((name) => Number.isFinite(value[name]))
  return whole ? (value as unknown as Tokens) : null
}
