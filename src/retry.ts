// When to try again: pure functions of the number of failures, chance, and what the service asked for.

const FIRST_MS = 1000
export const CAP_MS = 300_000
const RETRY_AFTER_CAP_MS = 3_600_000

/** Exponential backoff with full jitter, from half a second to 5 minutes. `failures` counts from 1, `chance` is in [0, 1). */
export function backoffMs(failures: number, chance: number): number {
  const ceiling = Math.min(CAP_MS, FIRST_MS * 2 ** Math.min(failures, 20))
  return Math.round(FIRST_MS / 2 + chance * (ceiling - FIRST_MS / 2))
}

/** How long a `Retry-After` asks to wait, in seconds or until a date, at most an hour. Undefined for none, for junk and for the past. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = (header || '').trim()
  const wait = /^[0-9]+$/.test(text) ? Number(text) * 1000 : /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) - now : Number.NaN
  return wait > 0 ? Math.min(wait, RETRY_AFTER_CAP_MS) : undefined
}
