// Makes values fit to be shown to others: ids are shortened, and what is a token, a secret or a signature, or looks like one, goes. The
// runtime puts none of them where the inspector could see it; this is for what a service or a game may have put there.

import type { Session } from '../session.ts'

export type Redact = (value: unknown) => unknown

export const GONE = '[redacted]'

const SECRET_NAME = /token|secret|signature|password|authori[sz]ation|api.?key|cookie/i
/** A bearer, a JWT or its start, Base64 of a digest, and any long run of letters. */
const SECRET_TEXT = /bearer\s+\S+|eyJ[\w-]+(?:[.][\w-]*)*|[A-Za-z0-9+/]{40,}={1,2}|[\w-]{40,}/gi
/** A shorter run may be a name. People put digits at the end of a word; chance puts them anywhere. */
const RUN = /[\w-]{24,}/g
const NAME = /^(?:[a-z]*\d{0,8}(?:[_-]|$))+$/i
const MAX_DEPTH = 12

/** Enough to tell one id from another, too little to use it. */
export function shorten(id: string): string {
  return id.length < 12 ? `${id.slice(0, 2)}…` : `${id.slice(0, 4)}…${id.slice(-4)}`
}

/** The members of a session that say who someone is. */
export function idsOf({ userId, deviceId, gameId, tenantId }: Session): string[] {
  return [userId, deviceId, gameId, tenantId].map(String)
}

/** Makes the function that redacts JSON values, with these ids shortened wherever they stand. */
export function createRedaction(ids: Iterable<string>): Redact {
  // The longest first: one id may be the start of another.
  const known = [...ids].filter((id) => id.length > 3).sort((one, other) => other.length - one.length)

  function textOf(text: string): string {
    return known
      .reduce((whole, id) => whole.split(id).join(shorten(id)), text)
      .replace(SECRET_TEXT, GONE)
      .replace(RUN, (run) => (NAME.test(run) ? run : GONE))
  }

  function redact(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return textOf(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth > MAX_DEPTH) return GONE
    if (Array.isArray(value)) return value.map((each) => redact(each, depth + 1))
    const entries = Object.entries(value).map(([name, member]) => {
      const isSecret = SECRET_NAME.test(name) && typeof member !== 'boolean' && member !== null
      return { [textOf(name)]: isSecret ? GONE : redact(member, depth + 1) }
    })
    return Object.assign({}, ...entries)
  }
  return (value) => redact(value, 0)
}
