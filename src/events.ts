// The events of a player: wires writer, outbox and delivery to the host's life. Nothing is started before `start`.

import type { Clock } from './clock.ts'
import { createDelivery } from './delivery.ts'
import { PlayerDataError } from './error.ts'
import { createEventWriter, type TrackOptions } from './event.ts'
import { createLanes } from './lane.ts'
import type { CheckedOptions, Consent } from './options.ts'
import { createOutbox, type DropReason } from './outbox.ts'
import type { HttpRequest, HttpResponse, Platform } from './port.ts'
import { errorOf, isObject, parse } from './reply.ts'
import type { SessionKeeper } from './session.ts'
import { createShelf } from './shelf.ts'
import type { Send } from './transport.ts'

export interface EventStats {
  /** Events that wait to be delivered: this instance's, and those it has taken over from earlier starts. */
  buffered: number
  /** Their bytes of JSON. */
  bufferedBytes: number
  /** Events that the service has taken. */
  delivered: number
  /** Events that are gone for good, by reason. */
  dropped: Partial<Record<DropReason, number>>
  /** Events in requests that were sent again because no reply had come to the first: the service may have them twice. */
  resent: number
  /** What being stored is worth on this host: survives a crash (`disk`), most likely (`weak`), or does not (`memory`). */
  durability: 'disk' | 'weak' | 'memory'
}

export interface EventsDeps {
  options: CheckedOptions
  namespace: string
  platform: Platform
  clock: Clock
  session: Pick<SessionKeeper, 'current' | 'send' | 'authorised'>
  send: Send
  createId(): string
  onDelivered(event: { events: number; bytes: number }): void
  onDropped(event: { reason: DropReason; events: unknown[]; message?: string }): void
  onError(error: unknown): void
  /** The storage has begun to fail. */
  onTrouble(error: unknown): void
}

export interface Events {
  track(type: string, payload: object | undefined, options?: TrackOptions): void
  /** A player is logged in: events of nobody become theirs, and what waits for them goes out. */
  welcome(): Promise<void>
  flush(): Promise<{ delivered: number; remaining: number }>
  persisted(): Promise<void>
  setConsent(consent: Consent): void
  stats(): EventStats
  start(): void
  /** Stores what is not stored yet, and stops. */
  close(): Promise<void>
}

/** A frame: how long the first event of a commit waits for others. */
const COMMIT_MS = 16
/** After a hide, if the page still lives. */
const HIDE_MS = 250
/** How often to look for tabs that died. */
const ADOPT_MS = 10_000
const KEEPALIVE_BYTES = 60 * 1024

export function createEvents(deps: EventsDeps): Events {
  const { options, namespace, platform, clock, session, createId, onError } = deps
  const { events: limits, timeoutMs, baseUrl, sessionId } = options
  const { storage, after, journal } = platform
  let consent = options.consent
  let delivered = 0
  const dropped: Partial<Record<DropReason, number>> = {}
  let started = false
  let closed = false
  let cancelCommit: (() => void) | undefined
  let cancelAdopt = () => {}
  let stops: (() => void)[] = []

  const shelf = createShelf({
    storage,
    after,
    onTrouble: deps.onTrouble,
    isPaused: () => consent === 'pending',
    async makeRoom() {
      const room = outbox.makeRoom()
      await room
      return room !== undefined
    },
  })
  const lanes = createLanes(platform, namespace, createId())
  const outbox = createOutbox({
    shelf,
    lanes,
    namespace,
    limits,
    recentBytes: limits.onLeave === 'send' ? KEEPALIVE_BYTES : 0,
    now: () => (clock.known ? clock.now() : undefined),
    onDrop(reason, count, texts, message) {
      dropped[reason] = (dropped[reason] || 0) + count
      texts.catch(() => []).then((found) => deps.onDropped(Object.assign({ reason, events: found.map(parse) }, message && { message })))
    },
  })
  const delivery = createDelivery({
    outbox,
    platform,
    limits,
    send,
    onError,
    now: clock.now,
    player: () => (consent === 'granted' && !closed && session.current ? session.current.userId : undefined),
    onDelivered(count, bytes) {
      delivered += count
      deps.onDelivered({ events: count, bytes })
    },
    errorOf: ({ status, body }) => errorOf(status, parse(body)),
  })
  const writer = createEventWriter({
    clock,
    createId,
    sessionId,
    metadata: options.metadata || (platform.device ? platform.device() : {}),
  })

  function request(body: string): HttpRequest {
    return { method: 'POST', url: `${baseUrl}/v1/events`, headers: {}, body, timeoutMs }
  }

  async function send(player: string, body: string): Promise<{ response?: HttpResponse; error?: unknown; carried: boolean }> {
    let carried = false
    try {
      const response = await session.send(request(body), async (authorised) => {
        // The session may have become another player's while this one waited.
        if (session.current?.userId !== player) throw new PlayerDataError('auth', 'Another player has logged in.')
        carried = true
        const reply = await deps.send(authorised)
        carried = false
        return reply
      })
      return { response, carried }
    } catch (error) {
      return { error, carried }
    }
  }

  /** Stores soon: all that comes until then is one write. */
  function commitSoon(ms: number): void {
    if (consent !== 'granted' || (cancelCommit && ms > 0)) return
    if (cancelCommit) cancelCommit()
    const commit = () => {
      cancelCommit = undefined
      outbox.commit()
    }
    if (ms > 0) cancelCommit = after(ms, commit)
    else {
      let cancelled = false
      cancelCommit = () => {
        cancelled = true
      }
      Promise.resolve().then(() => cancelled || commit())
    }
  }

  async function claim(): Promise<void> {
    const { current } = session
    if (current) await outbox.claim(current.userId, clock.offsetMs())
    delivery.nudge()
  }

  async function adopt(): Promise<void> {
    if (closed) return
    try {
      await outbox.adopt(ownLanes().map(([lane]) => lane))
      recover()
      if (consent === 'denied') outbox.dropAll('denied')
      await claim()
    } catch {
      // The storage cannot be read, which the shelf has told. What is there stays there for the next look.
    }
    // Without locks there is one instance: what was left was left before it started.
    if (platform.lock && !closed) cancelAdopt = after(ADOPT_MS, adopt)
  }

  /** The journal's entries by lane. Those of other namespaces are not ours to touch. */
  function readJournal(): Record<string, [key: string, value: unknown][]> {
    const entries = journal && parse(journal.read() || '')
    return isObject(entries) ? (entries as Record<string, [string, unknown][]>) : {}
  }

  function ownLanes(): [lane: string, records: [key: string, value: unknown][]][] {
    return Object.entries(readJournal()).filter(
      ([lane, records]) =>
        lane !== lanes.own && Array.isArray(records) && records.every(([key]) => String(key).startsWith(`${namespace}/`)),
    )
  }

  function writeJournal(lane: string, records: [string, unknown][]): void {
    if (!journal) return
    try {
      const entries = readJournal()
      delete entries[lane]
      if (records.length > 0) entries[lane] = records
      journal.write(Object.keys(entries).length > 0 ? JSON.stringify(entries) : '')
    } catch {
      // No room in the journal: the commit under way is all there is.
    }
  }

  function clearJournal(lane: string): void {
    outbox.commit().then(() => shelf.durable && writeJournal(lane, []))
  }

  function recover(): void {
    for (const [lane, records] of ownLanes()) {
      if (!lanes.isHeld(lane)) continue
      outbox.recover(records)
      clearJournal(lane)
    }
  }

  function hide(leaving: boolean): void {
    if (consent !== 'granted') return
    const isLast = leaving && limits.onLeave === 'send'
    if (isLast) sendLast()
    outbox.commit()
    const records = shelf.unsaved()
    if (records.length > 0) {
      writeJournal(lanes.own, records)
      clearJournal(lanes.own)
    }
    if (!isLast) delivery.soon(HIDE_MS)
  }

  /** The last request of a page that goes. Nobody will read its reply, so all of it stays stored. */
  function sendLast(): void {
    const { current } = session
    const batch = current && delivery.free && outbox.peekRecent(current.userId)
    if (!batch) return
    outbox.markUncertain(batch.segments)
    outbox.noteSending(batch.segments)
    deps.send(Object.assign(session.authorised(request(batch.body)), { keepalive: true })).catch(() => {})
  }

  return {
    track(type, payload, trackOptions = {}) {
      if (consent === 'denied') return
      const userId = session.current?.userId
      const full = outbox.append(writer.write(type, payload, trackOptions, userId), userId || '', clock.offsetMs())
      commitSoon(full ? 0 : COMMIT_MS)
      delivery.nudge()
    },
    welcome: () => claim().catch(() => {}), // what cannot be read now is claimed at the next look
    async flush() {
      const before = delivered
      await delivery.flush()
      return { delivered: delivered - before, remaining: outbox.waiting().events }
    },
    async persisted() {
      if (consent === 'granted') await outbox.commit()
    },
    setConsent(next) {
      consent = next
      if (next === 'denied') {
        outbox.dropAll('denied')
        // What is on its way is dropped, too, unless it arrives.
        delivery.flush().then(() => consent === 'denied' && outbox.dropAll('denied'))
      }
      if (next === 'granted') {
        commitSoon(0)
        delivery.nudge()
      }
    },
    stats() {
      const { events, bytes } = outbox.waiting()
      const durability = shelf.durable ? shelf.durability || 'disk' : 'memory'
      return { buffered: events, bufferedBytes: bytes, delivered, dropped: Object.assign({}, dropped), resent: delivery.resent, durability }
    },
    start() {
      if (started) return
      started = true
      if (shelf.durability === 'memory') deps.onTrouble(new Error('This host has no storage.'))
      if (platform.onHide) stops.push(platform.onHide(hide))
      if (platform.onResume) stops.push(platform.onResume(() => delivery.wake()))
      adopt()
    },
    async close() {
      closed = true
      for (const stop of stops) stop()
      stops = []
      cancelAdopt()
      if (cancelCommit) cancelCommit()
      delivery.close()
      if (started && consent === 'granted') await outbox.commit()
      lanes.release()
    },
  }
}
