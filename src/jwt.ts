// What an access token says of its own times. It is only read, never trusted: the service is the judge of its tokens.

import { decodeBase64 } from './base64.ts'
import { isObject, parse } from './reply.ts'

export interface TokenTimes {
  /** Epoch milliseconds by the service's clock. */
  issuedAt?: number
  /** Milliseconds from issue to expiry. */
  lifetimeMs?: number
}

/** Empty for a token that is no JWT, or has no such claims. */
export function readTokenTimes(token: string): TokenTimes {
  const { iat, exp } = claimsOf(token)
  // In seconds: what is beyond the year 5000 is milliseconds, and not to be trusted.
  if (typeof iat !== 'number' || !(iat > 0 && iat < 1e11)) return {}
  const issuedAt = iat * 1000
  return typeof exp === 'number' && exp >= iat ? { issuedAt, lifetimeMs: exp * 1000 - issuedAt } : { issuedAt }
}

function claimsOf(token: string): Record<string, unknown> {
  // The claims are ASCII numbers; names and other text beside them may come out garbled, which is of no matter.
  const claims = parse(decodeBase64(token.split('.')[1] || '').reduce((text, byte) => text + String.fromCharCode(byte), ''))
  return isObject(claims) ? claims : {}
}
