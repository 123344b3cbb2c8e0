// A segment: events that were stored together, in one record. It never changes. Its key carries the facts that caps, expiry, priorities
// and stats need, so that those never read a body. The body is the events' JSON, joined so that it can be taken apart without parsing:
// JSON text has no raw line break.

import type { Priority } from './event.ts'

export interface Segment {
  /** The player whose token carries it; empty while no login has claimed it. */
  readonly player: string
  readonly lane: string
  /** How many events the lane had before it: parts of a split segment keep their place. */
  readonly sequence: number
  readonly priority: Priority
  readonly events: number
  readonly bytes: number
  /** The time of its oldest event. */
  readonly oldestAt: number
}

const SEPARATOR = ',\n'

export const joinEvents = (texts: string[]): string => texts.join(SEPARATOR)
export const splitEvents = (body: string): string[] => body.split(SEPARATOR)

/** `prefix` is the namespace's own. */
export function segmentKey(prefix: string, { player, lane, sequence, priority, events, bytes, oldestAt }: Segment): string {
  return prefix + [player.replace(/[%/]/g, encodeURIComponent), lane, sequence, priority[0], events, bytes, oldestAt].join('/')
}

/** Undefined for a key that is no segment's. */
export function parseSegmentKey(prefix: string, key: string): Segment | undefined {
  const parts = key.slice(prefix.length).split('/')
  const [name = '', lane = '', , mark] = parts
  const [sequence = -1, events = 0, bytes = -1, oldestAt = 0] = [2, 4, 5, 6].map((at) => Number(parts[at]))
  if (parts.length !== 7 || !lane || !(sequence >= 0 && events > 0 && bytes >= 0) || !Number.isFinite(oldestAt)) return undefined
  const player = decode(name)
  if (player === undefined) return undefined
  return { player, lane, sequence, priority: mark === 'c' ? 'critical' : 'ordinary', events, bytes, oldestAt }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function countOf(segments: Segment[]): number {
  return segments.reduce((sum, { events }) => sum + events, 0)
}

/** By lane, and within a lane in the order of tracking. */
export function inOrder(one: Segment, other: Segment): number {
  return one.lane === other.lane ? one.sequence - other.sequence : one.lane < other.lane ? -1 : 1
}
