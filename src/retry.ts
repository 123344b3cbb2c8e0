// When to try again: a pure function of the number of failures and chance.

const FIRST_MS = 1000
const CAP_MS = 300_000

/** Exponential backoff with full jitter, from half a second to 5 minutes. `failures` counts from 1, `chance` is in [0, 1). */
export function backoffMs(failures: number, chance: number): number {
  const ceiling = Math.min(CAP_MS, FIRST_MS * 2 ** Math.min(failures, 20))
  return Math.round(FIRST_MS / 2 + chance * (ceiling - FIRST_MS / 2))
}
