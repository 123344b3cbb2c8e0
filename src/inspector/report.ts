// The report for a bug ticket: everything that the inspector shows, as JSON, without what others must not see. Payloads of events are
// the game's and its players': of them the report has only the types.

import type { PlayerStats } from '../player.ts'
import type { PlayerStatus, StoreConfig } from '../profile.ts'
import type { Session } from '../session.ts'
import type { PlayerRecord } from './record.ts'
import { createRedaction } from './redaction.ts'

export interface ReportFacts {
  now: number
  version: string
  /** Where it runs: things of the host that a ticket needs. */
  host: Record<string, unknown>
  session: Session | null
  status: PlayerStatus | null
  store: StoreConfig | null
  stats: PlayerStats
  record: Pick<PlayerRecord, 'calls' | 'problems' | 'ids'>
}

export function createReport({ now, version, host, session, status, store, stats, record }: ReportFacts): string {
  const redact = createRedaction(record.ids)
  const report = {
    report: `Player Data Runtime ${version}`,
    at: timeOf(now),
    host,
    session: session && Object.assign({}, session, { expiresAt: timeOf(session.expiresAt), expiresInMs: session.expiresAt - now }),
    status,
    store,
    stats,
    requests: record.calls.map(
      ({ at, method, path, status, durationMs }) => `${timeOf(at)} ${method} ${bare(path)} ${status} ${durationMs} ms`,
    ),
    problems: record.problems.map(({ at, kind, name, message, count, events }) =>
      Object.assign({ at: timeOf(at), kind, name, message, count }, kind === 'dropped' && { types: typesOf(events) }),
    ),
  }
  return JSON.stringify(redact(report), null, 2)
}

function timeOf(at: number): string {
  return Math.abs(at) < 8.64e15 ? new Date(at).toISOString() : String(at)
}

/** Without the values of a query: the game has put them there. */
function bare(path: string): string {
  return path.replace(/[?#].*/, '?…')
}

/** The types of events, each once. */
function typesOf(events: unknown[]): string[] {
  const types = events.map((event) => String((event as { eventType?: unknown } | null)?.eventType ?? 'unknown'))
  return types.filter((type, at) => types.indexOf(type) === at)
}
