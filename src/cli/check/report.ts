// What a check found, as plain data; and how it is come by.

import { isWebPage } from '../../reply.ts'
import { version } from '../../version.ts'
import type { Finding, Result, Statement } from './finding.ts'
import { statements } from './statements.ts'
import { createVisit, type Visit, type VisitOptions } from './visit.ts'
import { NoReply, type Reply } from './wire.ts'

export interface Line extends Finding, Omit<Statement, 'check'> {
  durationMs: number
}

/** What `player-data check --json` prints. */
export interface Report {
  /** Of this program. */
  version: string
  baseUrl: string
  /** UTC, ISO 8601. */
  startedAt: string
  durationMs: number
  /** `unreachable` where no Player Data Service answered; there are no statements then. */
  result: 'pass' | 'fail' | 'unreachable'
  /** Why it is unreachable, and what to do. */
  message?: string
  /** Requests sent. */
  requests: number
  /** Events that the service has taken, all of them marked. */
  events: number
  counts: Record<Result, number>
  statements: Line[]
}

/** After so many requests without a reply the rest is not tried: each costs the whole time limit. */
const MAX_LOST = 3

/** Visits the service and tries every statement. Never rejects because of what the service does. */
export async function createReport(options: VisitOptions): Promise<Report> {
  const startedAt = Date.now()
  const visit = createVisit(options)
  const message = await arrive(visit)
  const lines: Line[] = []
  if (message === undefined) for (const statement of statements) lines.push(await lineOf(statement, visit))

  const counts: Report['counts'] = { pass: 0, fail: 0, unspecified: 0, skipped: 0 }
  for (const { result } of lines) counts[result] += 1
  return {
    version,
    baseUrl: options.baseUrl,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    result: message !== undefined ? 'unreachable' : counts.fail > 0 ? 'fail' : 'pass',
    ...(message !== undefined && { message }),
    requests: visit.wire.requests,
    events: visit.eventsTaken,
    counts,
    statements: lines,
  }
}

/** Why there is nothing to check, if so. */
async function arrive(visit: Visit): Promise<string | undefined> {
  const where = visit.options.baseUrl
  try {
    await visit.arrive()
  } catch (error) {
    if (error instanceof NoReply) return `No service at ${where}: ${error.message}. ${error.advice}.`
    throw error
  }
  return strangerOf(visit.first, where)
}

function strangerOf(reply: Reply, where: string): string | undefined {
  if (reply.status >= 300 && reply.status < 400) {
    return `${where} sends its callers on to another address (${reply.status}). Give that address as --base-url.`
  }
  if (!isWebPage(reply)) return undefined
  return `A web page answers at ${where}, not a Player Data Service (${reply.status}). Give the address in front of /auth/login as --base-url, and log in to the network if it asks for that.`
}

async function lineOf({ check, ...statement }: Statement, visit: Visit): Promise<Line> {
  const startedAt = Date.now()
  const finding = await find(check, visit)
  return { ...statement, ...finding, durationMs: Date.now() - startedAt }
}

async function find(check: Statement['check'], visit: Visit): Promise<Finding> {
  if (visit.wire.lost >= MAX_LOST) return { result: 'skipped', seen: 'the service has stopped answering' }
  try {
    return await check(visit)
  } catch (error) {
    if (error instanceof NoReply) return { result: 'fail', seen: error.message }
    throw error
  }
}
