// The outbox: events from `track` to the acknowledgement. What must hold:
// - appending costs the same whatever waits; all that came since the last commit is one write
// - waiting events are on the disk; in memory are only those not yet stored, and the facts of the segments
// - a segment goes by its key when it is delivered or dropped, and in no other way; every drop is told

import { byteLength, claimEvent, type TrackedEvent } from './event.ts'
import type { Lanes } from './lane.ts'
import { isObject } from './reply.ts'
import { countOf, inOrder, joinEvents, parseSegmentKey, type Segment, segmentKey, splitEvents } from './segment.ts'
import type { Shelf } from './shelf.ts'

/**
 * - `overflow`: the buffer is full, or the disk
 * - `expired`: it has waited for longer than `maxAgeMs`
 * - `too-large`: the service finds this one event too large (413)
 * - `rejected`: the service refuses this one event (400, 422) and takes others
 * - `unreadable`: the stored record is damaged
 * - `denied`: the player has refused consent
 */
export type DropReason = 'overflow' | 'expired' | 'too-large' | 'rejected' | 'unreadable' | 'denied'

/** Segments of one player, joined into one request. */
export interface Batch {
  segments: Segment[]
  /** A JSON array. */
  body: string
}

export interface Amount {
  events: number
  bytes: number
}

export interface OutboxDeps {
  shelf: Shelf
  lanes: Lanes
  namespace: string
  limits: { bufferEvents: number; bufferBytes: number; maxAgeMs: number }
  /** So many bytes of the newest segments stay at hand, for a last request that cannot wait for the disk. */
  recentBytes: number
  /** The corrected time; undefined while nothing has told it, since a wrong clock must not expire anything. */
  now(): number | undefined
  /** Counted at once; the events' JSON follows. */
  onDrop(reason: DropReason, count: number, texts: Promise<string[]>, message?: string): void
}

export interface Outbox {
  /** Says whether a segment is full, and should be stored now. `offsetMs` is the correction in the event's time. */
  append(event: TrackedEvent, player: string, offsetMs: number): boolean
  /** Puts the open segment on the shelf and has all of it stored. */
  commit(): Promise<void>
  /** Takes over what earlier starts and dead tabs have left: their stored segments, and of `others` the lanes themselves. */
  adopt(others: string[]): Promise<void>
  /** Takes over records that were saved elsewhere when there was no time to store them. Those that are stored are passed over. */
  recover(records: [key: string, value: unknown][]): void
  /** Gives the events of nobody to the player. Their times move by what the clock has learnt since. */
  claim(player: string, offsetMs: number): Promise<void>
  /** The player's oldest events, as many as `most` allows, at least one. What `isAside` is passed over. */
  peek(player: string, most: Amount, isAside: (segment: Segment) => boolean): Promise<Batch | undefined>
  /** The same from memory, at once, of the newest segments. */
  peekRecent(player: string): Batch | undefined
  acknowledge(segments: Segment[]): Promise<void>
  /** `message` is what the service said of them. */
  drop(segments: Segment[], reason: DropReason, message?: string): Promise<void>
  /** Drops all but what is on its way. */
  dropAll(reason: DropReason): void
  /** Notes that a request is about to carry them, so that a start after a crash knows of it. */
  noteSending(segments: Segment[]): Promise<void>
  /** Of these, the events that a request may have carried before, without a reply that anyone saw. */
  countUncertain(segments: Segment[]): number
  /** No reply came to the request that carried them. */
  markUncertain(segments: Segment[]): void
  /** What was peeked is not on its way any more. */
  release(): void
  /** Drops the oldest ordinary segment that is on the disk, for room there. Resolves when it is about to go; undefined when there is none. */
  makeRoom(): Promise<void> | undefined
  /** All that waits, or what waits for a player. */
  waiting(player?: string): Amount
}

const SEGMENT_EVENTS = 100
const SEGMENT_BYTES = 49_152
/** Between two events of a segment. */
const SEPARATOR_BYTES = 2

/** The segment that is being filled. */
interface Open extends Omit<Segment, 'events' | 'bytes' | 'oldestAt'> {
  texts: string[]
  bytes: number
  oldestAt: number
  offsetMs: number
  /** Which of them have a time of the caller's own. */
  fixed: number[]
}

export function createOutbox({ shelf, lanes, namespace, limits, recentBytes, now, onDrop }: OutboxDeps): Outbox {
  const prefix = `${namespace}/events/`
  const noteKey = (lane: string) => `${namespace}/sending/${lane}`
  const keyOf = (segment: Segment) => segmentKey(prefix, segment)
  const keysOf = (segments: Segment[]) => segments.map(keyOf)

  // A segment is the least that can be evicted, so it is a small part of the whole.
  const fullEvents = Math.max(1, Math.min(SEGMENT_EVENTS, limits.bufferEvents / 10))
  const fullBytes = Math.min(SEGMENT_BYTES, limits.bufferBytes / 10)

  let segments: Segment[] = []
  let open: Open | undefined
  let sequence = 0
  const amounts = new Map<string, Amount>()
  /** What other tabs hold, as of the last look. */
  let elsewhere: Amount = { events: 0, bytes: 0 }
  let sending = new Set<Segment>()
  let recent: { segment: Segment; body: string }[] = []
  const uncertain = new Set<string>()

  function count(player: string, events: number, bytes: number): void {
    const amount = amounts.get(player) || { events: 0, bytes: 0 }
    amounts.set(player, { events: amount.events + events, bytes: amount.bytes + bytes })
  }

  function waiting(player?: string): Amount {
    if (player !== undefined) return amounts.get(player) || { events: 0, bytes: 0 }
    const all = { events: 0, bytes: 0 }
    for (const { events, bytes } of amounts.values()) {
      all.events += events
      all.bytes += bytes
    }
    return all
  }

  function seal(): void {
    if (!open) return
    const { player, lane, sequence, priority, texts, bytes, oldestAt, offsetMs, fixed } = open
    open = undefined
    const segment = { player, lane, sequence, priority, events: texts.length, bytes, oldestAt }
    const body = joinEvents(texts)
    segments.push(segment)
    shelf.put(keyOf(segment), segment.player ? body : { body, offsetMs, fixed })
    if (recentBytes > 0 && segment.player) keepRecent({ segment, body })
  }

  function keepRecent(record: { segment: Segment; body: string }): void {
    recent.push(record)
    let sum = recent.reduce((bytes, { segment }) => bytes + segment.bytes + SEPARATOR_BYTES, 0)
    while (sum > recentBytes) sum -= (recent.shift() as typeof record).segment.bytes + SEPARATOR_BYTES
  }

  function add(found: Segment[]): void {
    for (const { player, events, bytes } of found) count(player, events, bytes)
    segments = [...segments, ...found].sort(inOrder)
  }

  function forget(gone: Segment[]): void {
    const set = new Set(gone)
    segments = segments.filter((segment) => {
      if (set.has(segment)) count(segment.player, -segment.events, -segment.bytes)
      return !set.has(segment)
    })
    recent = recent.filter(({ segment }) => !set.has(segment))
  }

  async function drop(gone: Segment[], reason: DropReason, message?: string): Promise<void> {
    if (gone.length === 0) return
    forget(gone)
    const texts = shelf
      .get(keysOf(gone))
      .then((values) => values.map((value) => splitEvents(bodyOf(value) || '')).reduce((all, each) => all.concat(each), []))
    onDrop(reason, countOf(gone), texts, message)
    const remove = () => void shelf.write({ delete: keysOf(gone) })
    await texts.then(remove, remove)
  }

  function evict(): Promise<void> | undefined {
    const free = segments.filter((segment) => !sending.has(segment))
    const victim = free.find(({ priority }) => priority === 'ordinary') || free[0]
    return victim && drop([victim], 'overflow')
  }

  function keepWithinCaps(): void {
    const all = waiting()
    const over = () => all.events + elsewhere.events > limits.bufferEvents || all.bytes + elsewhere.bytes > limits.bufferBytes
    while (over()) {
      if (!evict()) {
        if (!open) return
        seal()
      }
      Object.assign(all, waiting())
    }
  }

  function expire(): void {
    const time = now()
    if (time === undefined) return
    drop(
      segments.filter((segment) => segment.oldestAt < time - limits.maxAgeMs && !sending.has(segment)),
      'expired',
    )
  }

  async function read(wanted: Segment[]): Promise<{ segment: Segment; value: unknown; body: string }[]> {
    const values = await shelf.get(keysOf(wanted))
    const records = wanted.map((segment, at) => ({ segment, value: values[at], body: bodyOf(values[at]) || '' }))
    const broken = records.filter(({ segment, body }) => byteLength(body) !== segment.bytes)
    drop(
      broken.map(({ segment }) => segment),
      'unreadable',
    )
    return records.filter((record) => broken.indexOf(record) < 0)
  }

  /** Takes one segment apart, so that its first part is no larger than asked for. */
  async function split(segment: Segment, most: Amount): Promise<void> {
    const [record] = await read([segment])
    if (!record) return
    const texts = splitEvents(record.body)
    let events = 0
    for (let bytes = 0; events < texts.length - 1 && events < most.events; events += 1) {
      bytes += byteLength(texts[events] as string)
      if (events > 0 && bytes > most.bytes) break
    }
    const parts = [texts.slice(0, events), texts.slice(events)].map((part, at) => {
      const body = joinEvents(part)
      return {
        body,
        segment: Object.assign({}, segment, { sequence: segment.sequence + at * events, events: part.length, bytes: byteLength(body) }),
      }
    })
    if (uncertain.has(keyOf(segment))) for (const part of parts) uncertain.add(keyOf(part.segment))
    forget([segment])
    add(parts.map((part) => part.segment))
    await shelf.write({ delete: [keyOf(segment)], set: parts.map((part) => [keyOf(part.segment), part.body]) })
  }

  async function peek(player: string, most: Amount, isAside: (segment: Segment) => boolean): Promise<Batch | undefined> {
    expire()
    const chosen: Segment[] = []
    const sum = { events: 0, bytes: 0 }
    for (const segment of segments) {
      if (segment.player !== player || isAside(segment)) continue
      sum.events += segment.events
      sum.bytes += segment.bytes + SEPARATOR_BYTES
      if (chosen.length > 0 && (sum.events > most.events || sum.bytes > most.bytes)) break
      chosen.push(segment)
    }
    const [first] = chosen
    if (!first) return undefined
    sending = new Set(chosen)
    if (first.events > 1 && (first.events > most.events || first.bytes > most.bytes)) {
      await split(first, most)
      return peek(player, most, isAside)
    }
    const records = await read(chosen)
    if (records.length === 0) return peek(player, most, isAside)
    return { segments: records.map(({ segment }) => segment), body: `[${joinEvents(records.map(({ body }) => body))}]` }
  }

  /** The record as the player's own, or undefined where its events cannot be read. */
  function claimed(segment: Segment, value: unknown, player: string, offsetMs: number): { segment: Segment; body: string } | undefined {
    try {
      const { body, offsetMs: before, fixed } = value as { body: string; offsetMs: number; fixed: number[] }
      const shift = offsetMs - before
      const texts = splitEvents(body).map((text, at) => claimEvent(text, player, fixed.indexOf(at) < 0 ? shift : 0))
      const joined = joinEvents(texts)
      return {
        body: joined,
        segment: Object.assign({}, segment, { player, bytes: byteLength(joined), oldestAt: segment.oldestAt + shift }),
      }
    } catch {
      return undefined
    }
  }

  return {
    append({ text, bytes, at, priority, fixed }, player, offsetMs) {
      if (open && (open.player !== player || open.priority !== priority || (!player && open.offsetMs !== offsetMs))) seal()
      open = open || { player, lane: lanes.own, sequence, priority, oldestAt: at, texts: [], bytes: -SEPARATOR_BYTES, offsetMs, fixed: [] }
      const first = open.texts.length === 0
      if (fixed) open.fixed.push(open.texts.length)
      open.texts.push(text)
      open.bytes += bytes + SEPARATOR_BYTES
      open.oldestAt = Math.min(open.oldestAt, at)
      sequence += 1
      count(player, 1, first ? bytes : bytes + SEPARATOR_BYTES)
      const full = open.texts.length >= fullEvents || open.bytes >= fullBytes
      if (full) seal()
      keepWithinCaps()
      return full
    },
    async commit() {
      seal()
      await lanes.hold()
      await shelf.commit()
    },
    async adopt(more) {
      const look = async () => (await shelf.keys(prefix)).map((key) => ({ key, segment: parseSegmentKey(prefix, key) }))
      const found = (await look()).map(({ segment }) => (segment ? segment.lane : ''))
      const others = new Set([...more, ...found].filter((lane) => lane && lane !== lanes.own))
      const ours = new Set<string>()
      for (const lane of others) if (await lanes.adopt(lane)) ours.add(lane)
      // A look again, now that the lanes are held: their owners may have sent and deleted some until the end.
      const known = new Set(keysOf(segments))
      const left: Segment[] = []
      elsewhere = { events: 0, bytes: 0 }
      for (const { key, segment } of await look()) {
        if (!segment) {
          onDrop('unreadable', 1, Promise.resolve([]))
          shelf.write({ delete: [key] })
        } else if (ours.has(segment.lane)) {
          if (!known.has(key)) left.push(segment)
        } else if (segment.lane !== lanes.own) {
          elsewhere.events += segment.events
          elsewhere.bytes += segment.bytes
        }
      }
      for (const keys of await shelf.get([...ours].map(noteKey))) if (Array.isArray(keys)) for (const key of keys) uncertain.add(key)
      add(left)
      keepWithinCaps()
    },
    recover(records) {
      const known = new Set(keysOf(segments))
      for (const [key, value] of records) {
        // The last request of a page that went: nobody saw its reply.
        if (key.startsWith(noteKey('')) && Array.isArray(value)) for (const sent of value) uncertain.add(sent)
        const segment = key.startsWith(prefix) ? parseSegmentKey(prefix, key) : undefined
        if (!segment || known.has(key)) continue
        shelf.put(key, value)
        add([segment])
      }
    },
    async claim(player, offsetMs) {
      seal()
      const records = await read(segments.filter((segment) => !segment.player))
      const results = records.map(({ segment, value }) => ({ segment, result: claimed(segment, value, player, offsetMs) }))
      drop(
        results.filter(({ result }) => !result).map(({ segment }) => segment),
        'unreadable',
      )
      // Only what is still there: some may have been evicted meanwhile.
      const done = results.filter(({ segment, result }) => result && segments.indexOf(segment) >= 0)
      const made = done.map(({ result }) => result as { segment: Segment; body: string })
      forget(done.map(({ segment }) => segment))
      add(made.map(({ segment }) => segment))
      await shelf.write({
        delete: done.map(({ segment }) => keyOf(segment)),
        set: made.map(({ segment, body }) => [keyOf(segment), body]),
      })
    },
    peek,
    peekRecent(player) {
      seal()
      const records = recent.filter(({ segment }) => segment.player === player && !sending.has(segment))
      if (records.length === 0) return undefined
      return { segments: records.map(({ segment }) => segment), body: `[${joinEvents(records.map(({ body }) => body))}]` }
    },
    async acknowledge(gone) {
      const keys = keysOf(gone)
      const notes = [...new Set(gone.map(({ lane }) => noteKey(lane)))]
      forget(gone)
      for (const key of keys) uncertain.delete(key)
      await shelf.write({ delete: [...keys, ...notes] })
    },
    drop,
    dropAll(reason) {
      seal()
      drop(
        segments.filter((segment) => !sending.has(segment)),
        reason,
      )
    },
    noteSending(batch) {
      for (const lane of new Set(batch.map(({ lane }) => lane))) {
        shelf.put(noteKey(lane), keysOf(batch.filter((segment) => segment.lane === lane)))
      }
      return shelf.commit()
    },
    countUncertain: (batch) => countOf(batch.filter((segment) => uncertain.has(keyOf(segment)))),
    markUncertain(batch) {
      for (const key of keysOf(batch)) uncertain.add(key)
    },
    release: () => sending.clear(),
    makeRoom() {
      const victim = segments.find((segment) => segment.priority === 'ordinary' && !sending.has(segment) && shelf.isStored(keyOf(segment)))
      return victim && drop([victim], 'overflow')
    },
    waiting,
  }
}

/** The events' JSON in a stored value; undefined where there is none. */
function bodyOf(value: unknown): string | undefined {
  const body = isObject(value) ? value.body : value
  return typeof body === 'string' ? body : undefined
}
