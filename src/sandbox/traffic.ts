// The requests that arrived. Redacted by construction: an entry has no header, no query and no body, and of a path that the contract does not
// have only the short segments.

/** One request, and what became of it. */
export interface RequestEntry {
  /** Place in the order of arrival, from 1. */
  number: number
  /** Epoch ms, on the sandbox's clock. */
  at: number
  /** In capitals. */
  method: string
  /** Without the query; long parts left out, since they may be tokens. */
  path: string
  /** The operation of the contract, where there is one. */
  operation?: string
  /** 0 where no reply was sent. */
  status: number
  /** From the arrival to the reply. */
  durationMs: number
  /** The `userId` of the token. */
  player?: string
  /** Events stored by this request. */
  events?: number
  /** Kinds of the faults that were applied. */
  faults?: string[]
  /** The message of an error reply. */
  error?: string
}

/** How often one operation was asked for. */
export interface OperationCount {
  /** Arrived, dropped ones included. */
  requests: number
  /** Answered with a 2xx. */
  succeeded: number
}

export interface Traffic {
  /** Counts an arrival and returns its number. */
  arrive(operation?: string): number
  leave(entry: RequestEntry): void
  /** The last 10 000, in the order of their replies. */
  entries(): RequestEntry[]
  counts(): { requests: number; operations: Record<string, OperationCount> }
  clear(): void
}

const KEPT = 10_000
const MAX_SEGMENT = 32

/** Numbers go on after `last`. */
export function createTraffic({ operations, last }: { operations: string[]; last: number }): Traffic {
  let entries: RequestEntry[] = []
  let number = last
  let requests = 0
  let byOperation = fresh()

  function fresh(): Map<string, OperationCount> {
    return new Map(operations.map((id) => [id, { requests: 0, succeeded: 0 }]))
  }

  return {
    arrive(operation = '') {
      requests++
      const count = byOperation.get(operation)
      if (count) count.requests++
      return ++number
    },
    leave(entry) {
      const count = byOperation.get(entry.operation ?? '')
      if (count && entry.status >= 200 && entry.status < 300) count.succeeded++
      entries.push(entry)
      if (entries.length >= 2 * KEPT) entries = entries.slice(-KEPT)
    },
    entries: () => entries.slice(-KEPT),
    counts: () => ({ requests, operations: Object.fromEntries([...byOperation].map(([id, count]) => [id, { ...count }])) }),
    clear() {
      entries = []
      requests = 0
      byOperation = fresh()
    },
  }
}

/** A path fit for a log: long segments may be tokens, and control characters would steer a terminal. */
export function redactPath(path: string): string {
  const segments = path.split('/').map((segment) => (segment.length > MAX_SEGMENT ? '…' : segment.replace(/[^\x21-\x7e]/g, '?')))
  return segments.slice(0, 8).join('/')
}
