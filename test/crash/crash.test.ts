// The whole browser is killed while a page tracks 200 events a second, and started again on the same profile. What the page told as
// committed is held against what the service has: nothing may be lost, and at most one batch may come again.
// `npm test` runs a handful; `npm run test:crash` sets CRASH_CHROMIUM, CRASH_FIREFOX and CRASH_WEBKIT to the number of kills, and prints every one.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { times } from '../session/start.ts'
import { type BrowserName, type Killable, startBrowser } from './browsers.ts'
import { createCrashSite, type Report } from './page.ts'

const BATCH_EVENTS = 500

/** `silent`: it stores what comes shortly before the kill, and does not answer. */
type Service = 'up' | 'silent' | 'unreachable'

interface Kill {
  browser: BrowserName
  service: Service
  /** After the first event. */
  killedMs: number
  /** The last that the page told of each. */
  tracked: number
  committed: number
  /** What the service has after the restart, each counted once. */
  received: number
  /** Committed, and not there. */
  lost: number
  /** Received again. */
  again: number
  /** What the restarted page counts as possibly sent twice. */
  resent: number
}

const isFull = ['CHROMIUM', 'FIREFOX', 'WEBKIT'].some((name) => process.env[`CRASH_${name}`] !== undefined)
const plan: [BrowserName, kills: number][] = [
  ['chromium', Number(process.env.CRASH_CHROMIUM ?? (isFull ? 0 : 3))],
  ['firefox', Number(process.env.CRASH_FIREFOX ?? 0)],
  ['webkit', Number(process.env.CRASH_WEBKIT ?? 0)],
]
const services: Service[] = ['up', 'unreachable', 'silent', 'unreachable']
const kills: Kill[] = []

afterAll(() => {
  if (!isFull) return
  console.table(kills)
  console.table(plan.flatMap(([browser]) => services.slice(0, 3).flatMap((service) => summaryOf(browser, service))))
})

function summaryOf(browser: BrowserName, service: Service): object[] {
  const these = kills.filter((kill) => kill.browser === browser && kill.service === service)
  const sum = (of: (kill: Kill) => number) => these.reduce((all, kill) => all + of(kill), 0)
  if (these.length === 0) return []
  const totals = { committed: sum(({ committed }) => committed), received: sum(({ received }) => received), lost: sum(({ lost }) => lost) }
  return [{ browser, service, kills: these.length, ...totals, again: sum(({ again }) => again), resent: sum(({ resent }) => resent) }]
}

async function killOnce(browser: BrowserName, service: Service): Promise<Kill> {
  const told: Report[] = []
  const sandbox = await createSandbox({ strict: true })
  const last = (page: Report['page']) => told.findLast((report) => report.page === page && report.stats)
  const profile = await mkdtemp(join(tmpdir(), 'player-data-crash-'))
  let running: Killable | undefined
  const site = await createCrashSite((report) => {
    told.push(report)
    if (report.page === 'track' && report.ready && service === 'unreachable') {
      sandbox.addFault({ kind: 'drop', when: 'before' })
    }
  })
  try {
    running = await startBrowser[browser](site.trackUrl(sandbox.url), profile)
    await vi.waitFor(() => expect(told.some(({ ready }) => ready)).toBe(true), { timeout: 40_000, interval: 10 })
    const killedMs = Math.round(500 + 1700 * Math.random())
    const silentMs = service === 'silent' ? 450 * Math.random() : 0
    await sleep(killedMs - silentMs)
    if (service === 'silent') sandbox.addFault({ kind: 'hang', when: 'after', path: '/v1/events' })
    await sleep(silentMs)
    await running.kill()
    await sleep(50) // for a report on its way
    const { committed = 0, tracked = 0 } = last('track') ?? {}
    sandbox.clearFaults()

    running = await startBrowser[browser](site.deliverUrl(sandbox.url), profile)
    const idsOf = () => sandbox.events().map(({ event }) => (event.payload as { id: number }).id)
    const lost = () => {
      const there = new Set(idsOf())
      return times(committed, (id) => id).filter((id) => !there.has(id)).length
    }
    const isDone = () => {
      expect(lost()).toBe(0)
      const { buffered, resent = 0 } = last('deliver')?.stats ?? {}
      expect(buffered).toBe(0)
      // The page's own report may be older than the service's.
      expect(sandbox.stats().duplicates).toBeLessThanOrEqual(resent)
    }
    // What is still missing after that is lost: the numbers say so.
    await vi.waitFor(isDone, { timeout: 40_000, interval: 50 }).catch(() => {})
    const firsts = sandbox.events().filter(({ copy }) => copy === 1)
    const order = firsts.map(({ event }) => (event.payload as { id: number }).id)
    expect(order).toEqual([...order].sort((one, other) => one - other))
    expect(told.flatMap(({ problem = [] }) => problem)).toEqual([])
    expect(sandbox.breaches()).toEqual([])
    const { distinct: received, duplicates: again } = sandbox.stats()
    const { resent = 0 } = last('deliver')?.stats ?? {}
    return { browser, service, killedMs, tracked, committed, received, lost: lost(), again, resent }
  } finally {
    await running?.kill()
    await site.close()
    await sandbox.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

describe.each(plan.filter(([, count]) => count > 0))('%s killed %i times', (browser, count) => {
  it.each(times(count, (at) => [at + 1, services[at % services.length] as Service] as const))(
    '%i: service %s',
    async (_, service) => {
      const kill = await killOnce(browser, service)
      kills.push(kill)
      expect(kill.committed).toBeGreaterThan(0)
      expect(kill.lost).toBe(0)
      expect(kill.again).toBeLessThanOrEqual(service === 'unreachable' ? 0 : BATCH_EVENTS)
      expect(kill.again).toBeLessThanOrEqual(kill.resent) // what may have arrived twice is counted
    },
    120_000,
  )
})
