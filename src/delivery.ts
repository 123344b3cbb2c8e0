// Delivery: when to send, what to send, and what to do with the reply. One request at a time. Timers, not clock readings, say when a
// wait is over, so a clock that is moved neither hurries nor stalls it.

import { isOutage, type PlayerDataError } from './error.ts'
import { singleFlight } from './flight.ts'
import type { Batch, Outbox } from './outbox.ts'
import type { HttpResponse, Platform } from './port.ts'
import { backoffMs, CAP_MS } from './retry.ts'
import { createSearch } from './search.ts'
import { countOf, type Segment } from './segment.ts'
import { judge } from './verdict.ts'

export interface DeliveryDeps {
  outbox: Outbox
  platform: Platform
  limits: { intervalMs: number; batchEvents: number; batchBytes: number }
  /** The corrected time. */
  now(): number
  /** Whose events may be sent now; undefined while there is no session. */
  player(): string | undefined
  /** Sends a batch under the player's token. `carried` says whether, without a reply, the service may have it all the same. */
  send(player: string, body: string): Promise<{ response?: HttpResponse; error?: unknown; carried: boolean }>
  onDelivered(events: number, bytes: number): void
  /** Told once for each stretch of trouble. */
  onError(error: unknown): void
  errorOf(response: HttpResponse): PlayerDataError
}

export interface Delivery {
  /** Something waits: sees to it that it is sent in time, at once if it is a batch's worth. */
  nudge(): void
  /** Sends all that waits now. Past a backoff, but never within a `Retry-After`. */
  flush(): Promise<void>
  /** Sends so soon, unless it is waiting for longer with reason. */
  soon(ms: number): void
  /** The host woke up or is online again: a backoff is over, at a random moment, since many wake at once. */
  wake(): void
  /** Whether it may send now. */
  readonly free: boolean
  readonly resent: number
  close(): void
}

export function createDelivery({ outbox, platform, limits, now, player, send, onDelivered, onError, errorOf }: DeliveryDeps): Delivery {
  const search = createSearch()
  /** What the service has shown it takes at once. */
  let mostBytes = limits.batchBytes
  let failures = 0
  let told = false
  /** What the service last said of a batch that it refused. */
  let refusal: string | undefined
  let resent = 0
  let closed = false
  /** Set while a send is to come: by the interval, a backoff, or what the service asked for. */
  let timer: { kind: 'interval' | 'backoff' | 'asked'; cancel(): void } | undefined

  const chance = () => (platform.random(1)[0] as number) / 256

  function wait(kind: 'interval' | 'backoff' | 'asked', ms: number): void {
    if (closed) return
    timer?.cancel()
    const cancel = platform.after(Math.min(ms, 2 ** 31 - 1), () => {
      timer = undefined
      deliver()
    })
    timer = { kind, cancel }
  }

  /** Sends until nothing is left, or it has to wait. */
  const deliver = singleFlight(async () => {
    try {
      while (await deliverOne());
    } catch (error) {
      later(error)
    }
    outbox.release()
    nudge()
  })

  async function deliverOne(): Promise<boolean> {
    const who = player()
    if (closed || who === undefined) return false
    await outbox.commit()
    const batch = await outbox.peek(who, { events: search.limit(limits.batchEvents), bytes: mostBytes }, search.isAside)
    if (!batch) {
      if (!search.isActive()) return false
      giveUp(undefined)
      return false
    }
    resent += outbox.countUncertain(batch.segments)
    await outbox.noteSending(batch.segments)
    const { response, error, carried } = await send(who, batch.body)
    if (carried) outbox.markUncertain(batch.segments)
    outbox.release()
    return closed ? false : settle(batch, response, error)
  }

  /** Does what the reply says. True: go on at once. */
  async function settle({ segments, body }: Batch, response: HttpResponse | undefined, error: unknown): Promise<boolean> {
    const verdict = judge(response, now())
    if (verdict.kind === 'accepted') {
      failures = 0
      told = false
      outbox.drop(search.accepted(segments), 'rejected', refusal)
      const acknowledged = outbox.acknowledge(segments)
      onDelivered(countOf(segments), body.length) // they do not wait any more
      await acknowledged
      return true
    }
    if (response) refusal = errorOf(response).message
    if (verdict.kind === 'too-large') return shrink(segments)
    if (verdict.kind === 'refused') {
      const step = search.refused(segments)
      if (step === 'drop') outbox.drop(segments, 'rejected', refusal)
      if (step !== 'give-up') return true
      giveUp(response)
      return false
    }
    if (verdict.kind === 'kept') {
      giveUp(response)
      return false
    }
    later(error, verdict.waitMs)
    return false
  }

  function shrink(segments: Segment[]): boolean {
    if (countOf(segments) > 1) mostBytes = Math.ceil(segments.reduce((sum, { bytes }) => sum + bytes, 0) / 2)
    else outbox.drop(segments, 'too-large', refusal)
    return true
  }

  function later(error: unknown, askedMs?: number): void {
    failures += 1
    if (error !== undefined && !isOutage(error) && !told) tell(error)
    if (askedMs === undefined) wait('backoff', backoffMs(failures, chance()))
    else wait('asked', askedMs + chance() * 1000)
  }

  /** The service refuses everything, or this request: all is kept, and the wait is long. */
  function giveUp(response: HttpResponse | undefined): void {
    search.clear()
    if (response && !told) tell(errorOf(response))
    wait('backoff', CAP_MS * (0.5 + chance() / 2))
  }

  function tell(error: unknown): void {
    told = true
    onError(error)
  }

  function nudge(): void {
    const who = player()
    if (who === undefined || closed) return
    const { events, bytes } = outbox.waiting(who)
    if (events === 0) return
    if (!timer) wait('interval', limits.intervalMs)
    if (timer?.kind === 'interval' && (events >= limits.batchEvents || bytes >= limits.batchBytes)) deliver()
  }

  return {
    nudge,
    async flush() {
      if (timer?.kind === 'asked') return
      timer?.cancel()
      timer = undefined
      await deliver()
    },
    soon(ms) {
      if (!timer || timer.kind === 'interval') wait('interval', ms)
    },
    wake() {
      failures = 0
      if (timer?.kind !== 'asked') wait('interval', chance() * 1000)
    },
    get free() {
      return !timer || timer.kind === 'interval'
    },
    get resent() {
      return resent
    },
    close() {
      closed = true
      timer?.cancel()
    },
  }
}
