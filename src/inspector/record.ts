// What has happened to the player since the inspector was attached. Listens, and only keeps: whatever a listener costs, the game pays
// in the middle of its work. Bounded, so that it can stay attached for a day.

import type { PlayerDataError } from '../error.ts'
import type { PlayerEvents, PlayerStats } from '../player.ts'
import type { PlayerStatus, StoreConfig } from '../profile.ts'
import type { Session } from '../session.ts'
import type { RequestNews } from '../transport.ts'
import { createRedaction, idsOf } from './redaction.ts'
import { createSeries, type Series } from './series.ts'

/** The part of a player that the inspector uses. Any player of `createPlayerData` is one. */
export interface InspectedPlayer {
  readonly session: Session | null
  readonly status: PlayerStatus | null
  readonly store: StoreConfig | null
  stats(): PlayerStats
  on<Name extends keyof PlayerEvents>(name: Name, listener: (event: PlayerEvents[Name]) => void): () => void
  flush(): Promise<{ delivered: number; remaining: number }>
  renew(): Promise<Session>
  logout(): Promise<void>
}

/** A request that is over. */
export interface Call extends RequestNews {
  id: number
  at: number
}

/** An error, or events that are gone. The same again within a second is the same problem, once more. */
export interface Problem {
  id: number
  kind: 'error' | 'dropped'
  at: number
  /** The error's code, or the reason of the drop. */
  name: string
  message: string
  /** How many events are gone, or how often the error came. */
  count: number
  /** The first of the events. */
  events: unknown[]
}

export interface PlayerRecord {
  /** The newest first. */
  readonly calls: readonly Call[]
  readonly problems: readonly Problem[]
  /** All since the start, those that are not kept included. */
  readonly problemCount: number
  readonly series: Series
  /** Every id that a session has had: what is shown to others must hold none of them. */
  readonly ids: ReadonlySet<string>
  /** Reads the counts now, and puts them into the series. */
  sample(): PlayerStats
  /** Notes an error that a button got, and says it in a line. */
  note(error: PlayerDataError): string
  stop(): void
}

export const SPAN_MS = 60_000
const MAX_CALLS = 40
const MAX_TROUBLES = 30
const MAX_EVENTS = 10
const SAME_MS = 1000

/** What each reason of a drop means. */
const REASONS: Record<string, string> = {
  overflow: 'The buffer was full: the oldest went.',
  expired: 'They had waited longer than maxAgeMs.',
  'too-large': 'The service found them too large.',
  rejected: 'The service refused them, and took others.',
  unreadable: 'Their stored record was damaged.',
  denied: 'The player has not consented.',
}

export function createRecord(player: InspectedPlayer, now: () => number): PlayerRecord {
  const calls: Call[] = []
  const problems: Problem[] = []
  const series = createSeries(SPAN_MS)
  const ids = new Set<string>()
  let problemCount = 0
  let lastId = 0

  function addProblem(problem: Omit<Problem, 'id' | 'at'>): void {
    const at = now()
    const same = problems.find(({ kind, name, message }) => kind === problem.kind && name === problem.name && message === problem.message)
    if (same && same === problems[0] && at - same.at < SAME_MS) {
      same.at = at
      same.count += problem.count
      same.events = same.events.concat(problem.events).slice(0, MAX_EVENTS)
      return
    }
    problemCount += 1
    lastId += 1
    problems.unshift(Object.assign({ id: lastId, at }, problem))
    problems.splice(MAX_TROUBLES)
  }

  function note({ code, message }: PlayerDataError): string {
    // A message may quote the service, which may quote anything.
    const fit = String(createRedaction(ids)(message))
    addProblem({ kind: 'error', name: String(code), message: fit, count: 1, events: [] })
    return `${code}: ${fit}`
  }

  function know(session: Session | null): void {
    if (session) for (const id of idsOf(session)) ids.add(id)
  }

  const offs = [
    player.on('session', know),
    player.on('request', (news) => {
      lastId += 1
      calls.unshift(Object.assign({ id: lastId, at: now() }, news))
      calls.splice(MAX_CALLS)
    }),
    player.on('error', note),
    player.on('dropped', ({ reason, events }) =>
      addProblem({
        kind: 'dropped',
        name: reason,
        message: REASONS[reason] ?? '',
        count: events.length,
        events: events.slice(0, MAX_EVENTS),
      }),
    ),
  ]

  know(player.session)
  return {
    calls,
    problems,
    get problemCount() {
      return problemCount
    },
    series,
    ids,
    sample() {
      const stats = player.stats()
      const dropped = Object.keys(stats.dropped).reduce((sum, reason) => sum + (stats.dropped[reason as never] ?? 0), 0)
      series.add({ at: now(), buffered: stats.buffered, delivered: stats.delivered, dropped })
      return stats
    },
    note,
    stop() {
      for (const off of offs) off()
    },
  }
}
