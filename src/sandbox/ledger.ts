// The events received, in the order of their arrival. Two events are the same when player and JSON text are: a client that sends an event
// again sends the same text.

import { createHash } from 'node:crypto'
import type { components } from '../../generated/openapi.ts'

/** An event as the contract has it. */
export type PlayerEvent = components['schemas']['PlayerEvent']

/** An event as it was received; one line of `events.jsonl`. */
export interface StoredEvent {
  /** Place in the order of arrival, from 1. */
  sequence: number
  /** The `userId` of the token that it came with. */
  player: string
  /** Epoch ms, on the sandbox's clock. */
  receivedAt: number
  /** The number of the request that brought it. */
  request: number
  /** The event itself. */
  event: PlayerEvent
}

/** An event as it was received. */
export interface ReceivedEvent extends StoredEvent {
  /** 1 for the first arrival of this event, 2 for its first duplicate, and so on. */
  copy: number
}

/** How many events came. */
export interface Tally {
  /** All. */
  received: number
  /** Each counted once. */
  distinct: number
  /** All but the first of each. */
  duplicates: number
}

export interface Ledger {
  /** All or, where storing fails, none. */
  add(batch: { player: string; receivedAt: number; request: number; events: PlayerEvent[] }): void
  events(filter?: { player?: string }): ReceivedEvent[]
  tally(): Tally & { players: Record<string, Tally> }
  clear(): void
}

/** `append` makes events durable before they count as received. */
export function createLedger({ past, append }: { past: StoredEvent[]; append(events: StoredEvent[]): void }): Ledger {
  const all: ReceivedEvent[] = []
  const copies = new Map<string, number>()
  const tallies = new Map<string, Tally>()

  function enter(stored: StoredEvent): void {
    const identity = createHash('sha256')
      .update(`${stored.player} ${JSON.stringify(stored.event)}`)
      .digest('base64')
    const copy = (copies.get(identity) ?? 0) + 1
    copies.set(identity, copy)
    const tally = tallies.get(stored.player) ?? { received: 0, distinct: 0, duplicates: 0 }
    tallies.set(stored.player, tally)
    tally.received++
    if (copy === 1) tally.distinct++
    else tally.duplicates++
    all.push({ ...stored, copy })
  }

  for (const stored of past) enter(stored)

  return {
    add({ events, ...batch }) {
      const first = (all.at(-1)?.sequence ?? 0) + 1
      const stored = events.map((event, index) => ({ sequence: first + index, ...batch, event }))
      append(stored)
      for (const each of stored) enter(each)
    },
    events: ({ player } = {}) => (player === undefined ? [...all] : all.filter((each) => each.player === player)),
    tally() {
      const sum = { received: 0, distinct: 0, duplicates: 0 }
      for (const tally of tallies.values()) {
        sum.received += tally.received
        sum.distinct += tally.distinct
        sum.duplicates += tally.duplicates
      }
      return { ...sum, players: Object.fromEntries([...tallies].map(([player, tally]) => [player, { ...tally }])) }
    },
    clear() {
      all.length = 0
      copies.clear()
      tallies.clear()
    },
  }
}
