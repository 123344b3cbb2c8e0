// A statement about the service, and what was found of it.

import type { Visit } from './visit.ts'

/**
 * - `pass`, `fail`: the service keeps the statement, or does not
 * - `unspecified`: the specification leaves it open; `seen` says how this service does it
 * - `skipped`: not looked at; `seen` says why
 */
export type Result = 'pass' | 'fail' | 'unspecified' | 'skipped'

export interface Finding {
  result: Result
  /** What was seen, in words, and free of secrets. */
  seen: string
}

export type Topic = 'Login' | 'Timestamps' | 'Player data' | 'Events' | 'Tokens' | 'Browsers' | 'Left open'

export interface Statement {
  /** Never changes once released: CI systems and people refer to it. */
  id: string
  topic: Topic
  title: string
  /** Where the interface specification of the service states it, or leaves it open. */
  section: string
  /** What to do about a failure. Empty where there can be none. */
  fix: string
  /** May reject with NoReply: that is a failure. */
  check(visit: Visit): Promise<Finding> | Finding
}

export const pass = (seen: string): Finding => ({ result: 'pass', seen })
export const fail = (seen: string): Finding => ({ result: 'fail', seen })
export const unspecified = (seen: string): Finding => ({ result: 'unspecified', seen })
export const skipped = (reason: string): Finding => ({ result: 'skipped', seen: reason })
