// The request log: one line a request.

import type { RequestEntry } from './traffic.ts'

/** One line of the request log: `12:00:07.250  POST /v1/events  202  3 ms  player-51f0  12 events`. The time is UTC, on the sandbox's clock. */
export function createLine({ at, method, path, status, durationMs, player, events, faults, error }: RequestEntry): string {
  const parts = [
    new Date(at).toISOString().slice(11, 23),
    `${method} ${path}`,
    status === 0 ? 'no reply' : String(status),
    `${Math.round(durationMs)} ms`,
    player,
    events === undefined ? undefined : `${events} event${events === 1 ? '' : 's'}`,
    faults && `fault: ${faults.join(', ')}`,
    error,
  ]
  return parts.filter((part) => part !== undefined).join('  ')
}
