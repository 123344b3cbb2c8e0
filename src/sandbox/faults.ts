// Faults on demand. A fault is plain JSON, the same for `addFault` and for the control API.
//
// Every request is held against all faults in the order in which they were added. Latencies add up; of the others the first that
// fits is applied and is the only one that is used up. Durations are of this machine's clock: moving the sandbox's clock does not end a fault.

import type { PlayerEvent } from './ledger.ts'
import { createShape } from './shape.ts'

/** To which requests a fault applies. Left out, it applies to all, except preflights (for those, say `method: 'OPTIONS'`). */
export interface FaultScope {
  /** A path or, at a slash, the start of one: `/v1` means `/v1/events` too. */
  path?: string
  /** One method alone. */
  method?: 'GET' | 'HEAD' | 'POST' | 'OPTIONS'
  /** Leaves the first so many requests alone. */
  after?: number
  /** Ends after so many requests. */
  times?: number
  /** Ends after so many milliseconds. */
  forMs?: number
}

/**
 * - `before`: the request has no effect
 * - `after`: it is carried out (events stored, tokens rotated), and only its reply is lost
 */
export type When = 'before' | 'after'

/** A fault as plain JSON, the same for `addFault` and for the control API. */
export type Fault = FaultScope &
  /** The reply comes so much later. */
  (
    | { kind: 'latency'; ms: number }
    /** The connection is reset. `midway`: carried out, and cut in the middle of the reply. */
    | { kind: 'drop'; when: When | 'midway' }
    /** No answer until the fault is removed or its `forMs` is over; then the request goes on. */
    | { kind: 'hang'; when: When }
    /** A string is sent as it is, anything else as JSON. Without a body: an error in the configured form, or nothing below 400. */
    | { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown; contentType?: string; when?: When }
    /** 413 for a body of more than so many bytes. */
    | { kind: 'too-large'; bytes: number }
    /** Refuses the whole batch when one event matches: by its type, by a text anywhere in its JSON, or by both. */
    | { kind: 'reject-events'; match: { eventType?: string; contains?: string }; status?: 400 | 422 }
    /** 200 with an HTML page, as from the login page of a Wi-Fi network. */
    | { kind: 'portal' }
  )

/** A fault that was added and is not over. */
export interface ActiveFault {
  /** For `removeFault`. */
  id: string
  /** As it was added. */
  fault: Fault
  /** How often it was applied. */
  applied: number
}

/** A fault that applies to the request at hand. */
export interface Applied {
  fault: Fault
  /** Resolves when the fault is over. */
  over: Promise<void>
}

export interface Faults {
  /** Throws a ShapeError where it is not a fault. */
  add(fault: unknown): string
  remove(id: string): boolean
  clear(): void
  list(): ActiveFault[]
  /** The faults for a request that has arrived. */
  take(request: { method: string; path: string; bytes: number }): Applied[]
  /** The fault that refuses these events. */
  takeRejection(events: PlayerEvent[]): Extract<Fault, { kind: 'reject-events' }> | undefined
}

const count = { type: 'integer', minimum: 1, maximum: 1e9 }
const durationMs = { type: 'number', minimum: 0, maximum: 2 ** 31 - 1 } // More would overflow a timer.
const before = { enum: ['before', 'after'] }
const text = { type: 'string', minLength: 1 }

const scope: Record<keyof FaultScope, object> = {
  path: { type: 'string', pattern: '^/' },
  method: { enum: ['GET', 'HEAD', 'POST', 'OPTIONS'] },
  after: { ...count, minimum: 0 },
  times: count,
  forMs: durationMs,
}

const headerValue = { type: 'string', pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' }
const headers = {
  type: 'object',
  // What frames a message is the server's own business.
  propertyNames: { pattern: "^(?!(?:[Cc]ontent-[Ll]ength|[Tt]ransfer-[Ee]ncoding)$)[A-Za-z0-9!#$%&'*+.^_`|~-]+$" },
  additionalProperties: headerValue,
}

const kinds: Record<Fault['kind'], { properties: Record<string, object>; required: string[] }> = {
  latency: { properties: { ms: durationMs }, required: ['ms'] },
  drop: { properties: { when: { enum: ['before', 'after', 'midway'] } }, required: ['when'] },
  hang: { properties: { when: before }, required: ['when'] },
  status: {
    properties: { status: { type: 'integer', minimum: 200, maximum: 599 }, headers, body: {}, contentType: headerValue, when: before },
    required: ['status'],
  },
  'too-large': { properties: { bytes: { type: 'integer', minimum: 0 } }, required: ['bytes'] },
  'reject-events': {
    properties: {
      match: { type: 'object', minProperties: 1, additionalProperties: false, properties: { eventType: text, contains: text } },
      status: { enum: [400, 422] },
    },
    required: ['match'],
  },
  portal: { properties: {}, required: [] },
}

const faultShape = createShape<Fault>(
  {
    type: 'object',
    required: ['kind'],
    discriminator: { propertyName: 'kind' },
    oneOf: Object.entries(kinds).map(([kind, { properties, required }]) => ({
      properties: { kind: { const: kind }, ...scope, ...properties },
      required: ['kind', ...required],
      additionalProperties: false,
    })),
  },
  'the fault',
)

interface Entry extends ActiveFault {
  seen: number
  over: Promise<void>
  end(): void
}

export function createFaults(): Faults {
  const entries = new Map<string, Entry>()
  let lastId = 0

  const isUsedUp = ({ fault, applied }: Entry) => applied >= (fault.times ?? Infinity)

  function remove(id: string): boolean {
    entries.get(id)?.end()
    return entries.delete(id)
  }

  /** Counts the request against the fault, and says whether it applies. */
  function apply(entry: Entry): boolean {
    if (isUsedUp(entry) || ++entry.seen <= (entry.fault.after ?? 0)) return false
    entry.applied++
    // One that hangs stays: removing it is what lets its requests go.
    if (isUsedUp(entry) && entry.fault.kind !== 'hang') entries.delete(entry.id)
    return true
  }

  return {
    remove,
    add(input) {
      const fault = structuredClone(faultShape(input))
      const id = String(++lastId)
      let timer: NodeJS.Timeout | undefined
      let resolve = () => {}
      const over = new Promise<void>((done) => {
        resolve = done
      })
      const end = () => {
        clearTimeout(timer)
        resolve()
      }
      entries.set(id, { id, fault, applied: 0, seen: 0, over, end })
      if (fault.forMs !== undefined) timer = setTimeout(() => remove(id), fault.forMs).unref()
      return id
    },
    clear: () => [...entries.keys()].forEach(remove),
    list: () => [...entries.values()].map(({ id, fault, applied }) => ({ id, fault: structuredClone(fault), applied })),
    take(request) {
      const taken: Applied[] = []
      for (const entry of [...entries.values()]) {
        const { fault, over } = entry
        if (fault.kind === 'reject-events' || !isInScope(fault, request)) continue
        if (fault.kind === 'too-large' && request.bytes <= fault.bytes) continue
        if (!apply(entry)) continue
        taken.push({ fault, over })
        if (fault.kind !== 'latency') break
      }
      return taken
    },
    takeRejection(events) {
      for (const entry of [...entries.values()]) {
        const { fault } = entry
        if (fault.kind !== 'reject-events' || !isInScope(fault, { method: 'POST', path: '/v1/events' })) continue
        if (events.some((event) => isMatch(event, fault.match)) && apply(entry)) return fault
      }
      return undefined
    },
  }
}

function isInScope({ path, method }: FaultScope, request: { method: string; path: string }): boolean {
  if (method === undefined ? request.method === 'OPTIONS' : method !== request.method) return false
  return path === undefined || request.path === path || request.path.startsWith(path.endsWith('/') ? path : `${path}/`)
}

function isMatch(event: PlayerEvent, { eventType, contains }: { eventType?: string; contains?: string }): boolean {
  return (eventType === undefined || event.eventType === eventType) && (contains === undefined || JSON.stringify(event).includes(contains))
}
