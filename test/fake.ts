// A host made by hand for unit tests: a scripted network, a clock that moves when told, a storage that can fail.

import { memoryStorage } from '../src/memory.ts'
import type { HttpRequest, HttpResponse, KeyValue, Platform } from '../src/port.ts'

export interface FakePlatform extends Platform {
  /** Every request, in order. */
  readonly requests: HttpRequest[]
  /** Answers the next requests, in order. An Error stands for "no reply". */
  answer(...replies: (Partial<HttpResponse> | Error)[]): void
  /** Moves the clock and runs what is due. */
  advance(ms: number): void
  /** How many timers are set. */
  timers(): number
}

export function fakePlatform(parts: Partial<Platform> = {}): FakePlatform {
  const requests: HttpRequest[] = []
  const replies: (Partial<HttpResponse> | Error)[] = []
  const timers = new Set<{ at: number; run: () => void }>()
  let now = Date.UTC(2026, 2, 1, 12)
  let seed = 0
  return {
    requests,
    answer: (...more) => void replies.push(...more),
    advance(ms) {
      now += ms
      for (const timer of [...timers]) {
        if (timer.at <= now && timers.delete(timer)) timer.run()
      }
    },
    timers: () => timers.size,
    async http(request) {
      requests.push(request)
      const reply = replies.shift()
      if (reply === undefined) throw new Error(`nothing answers ${request.method} ${request.url}`)
      if (reply instanceof Error) throw reply
      return { status: 200, headers: { 'content-type': 'application/json' }, body: '', ...reply }
    },
    storage: memoryStorage(),
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    random: (bytes) => Uint8Array.from({ length: bytes }, () => (seed = (seed * 73 + 41) % 256)),
    ...parts,
  }
}

/** A reply with a JSON body. */
export function json(body: unknown, status = 200): HttpResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** A storage of which every call fails. */
export function brokenStorage(): KeyValue {
  const fail = () => Promise.reject(new Error('the disk is full'))
  return { get: fail, write: fail, keys: fail }
}
