// The search for the events that a service refuses. A refused batch is halved until a single event is refused. That event is bad only
// if the service takes others: so the next ones are tried, in growing numbers, and it is dropped when some are taken. A service that
// refuses everything refuses nothing of ours: after a few tries all is kept.

import { countOf, type Segment } from './segment.ts'

export interface Search {
  /** How many events to send at once, `most` at most. */
  limit(most: number): number
  /** Not to be sent for now. */
  isAside(segment: Segment): boolean
  /** A batch was refused. `halve`: send less. `drop`: its single event is bad. `next`: go on with others. `give-up`: keep all, and wait. */
  refused(batch: Segment[]): 'halve' | 'drop' | 'next' | 'give-up'
  /** A batch was taken. Returns the single events that are thereby known to be bad. */
  accepted(batch: Segment[]): Segment[]
  /** Whether events are aside, waiting for proof. */
  isActive(): boolean
  /** Ends the search: nothing is aside any more. */
  clear(): void
}

/** As many as the halving of a full batch takes. */
const MOST_PROBES = 9

export function createSearch(): Search {
  /** 0 while there is no search. */
  let size = 0
  /** The service has taken something since the search began. */
  let proven = false
  let probes = 0
  let suspects: Segment[] = []
  const aside = new Set<Segment>()

  function clear(): void {
    size = 0
    proven = false
    probes = 0
    suspects = []
    aside.clear()
  }

  return {
    limit(most) {
      if (size >= most && suspects.length === 0) clear()
      return size > 0 ? Math.min(size, most) : most
    },
    isAside: (segment) => aside.has(segment),
    refused(batch) {
      const events = countOf(batch)
      if (events > 1 && (proven || suspects.length === 0)) {
        size = Math.ceil(events / 2)
        return 'halve'
      }
      if (proven) return 'drop'
      if (events === 1) suspects.push(...batch)
      for (const segment of batch) aside.add(segment)
      size = 2 ** probes
      probes += 1
      if (probes <= MOST_PROBES) return 'next'
      clear()
      return 'give-up'
    },
    accepted(batch) {
      const bad = suspects
      if (size > 0) {
        size = countOf(batch) * 2
        proven = true
        probes = 0
        suspects = []
        aside.clear()
      }
      return bad
    },
    isActive: () => aside.size > 0,
    clear,
  }
}
