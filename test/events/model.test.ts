// Outbox and delivery against a model: random tracks, replies, crashes, evictions and clock jumps. Whatever happens,
// tracked = delivered + waiting + dropped-with-reason; and what was stored is received or dropped with a reason in the end.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HttpResponse } from '../../src/port.ts'
import { createBrowser, type Tab } from '../browser.ts'
import { json } from '../fake.ts'
import { loginResponse } from '../login.ts'

type Step =
  | { do: 'track'; count: number; critical: boolean; bytes: number }
  | { do: 'persist' | 'flush' | 'crash' | 'hide' | 'relogin' }
  | { do: 'service'; mode: Mode }
  | { do: 'clock'; ms: number }

type Mode = 'good' | 'down' | 'lost-before' | 'lost-after' | 'refuses' | 'small' | 'poison' | 'portal' | 'forbids'

const mode = fc.constantFrom<Mode[]>('good', 'good', 'down', 'lost-before', 'lost-after', 'refuses', 'small', 'poison', 'portal', 'forbids')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('track' as const),
      count: fc.integer({ min: 1, max: 80 }),
      critical: fc.boolean(),
      bytes: fc.integer({ min: 0, max: 400 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('persist' as const, 'flush' as const, 'hide' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('crash' as const, 'relogin' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('service' as const), mode }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clock' as const), ms: fc.integer({ min: -864e5, max: 864e5 }) }) },
)

/** A service that does what it is told to, and keeps what it takes. */
function createService() {
  const received: string[] = []
  const service = { mode: 'good' as Mode, received, http }
  async function http({ url, body = '' }: { url: string; body?: string }): Promise<HttpResponse> {
    if (url.includes('/auth/')) return json(loginResponse({ expiresIn: 1e6 }))
    const ids = (JSON.parse(body) as { payload: { id: string } }[]).map(({ payload }) => payload.id)
    const take = () => void received.push(...ids)
    switch (service.mode) {
      case 'down':
        return json({ error: 'busy' }, 503)
      case 'lost-before':
        throw new TypeError('connection refused')
      case 'lost-after':
        take()
        throw new TypeError('connection reset')
      case 'refuses':
        return json({ error: 'no' }, 400)
      case 'forbids':
        return json({ error: 'no' }, 403)
      case 'portal':
        return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' }
      case 'small':
        if (body.length > 2000) return json({ error: 'too large' }, 413)
        break
      case 'poison':
        if (ids.some((id) => id.endsWith('7'))) return json({ error: 'bad event' }, 422)
        break
    }
    take()
    return { status: 202, headers: {}, body: '' }
  }
  return service
}

async function run(steps: Step[]): Promise<void> {
  const service = createService()
  const browser = createBrowser({ url: 'https://service.test' }, { http: service.http })
  const tracked: string[] = []
  const dropped = new Set<string>()
  const stored = new Set<string>()
  let tab: Tab = openTab()
  /** Of this start: what it tracked, and what it found. */
  let own: string[] = []
  let found = 0

  const sum = () => {
    const { delivered, buffered, dropped: reasons } = tab.player.stats()
    return delivered + buffered + Object.values(reasons).reduce((all, count) => all + count, 0)
  }
  const check = (at: string) => expect(sum(), at).toBe(own.length + found)
  function openTab(): Tab {
    const opened = browser.open({ events: { intervalMs: 1e9, batchEvents: 50, bufferEvents: 300, bufferBytes: 1e6 } })
    opened.player.on('dropped', ({ events }) => {
      for (const event of events) dropped.add((event as { payload: { id: string } }).payload.id)
    })
    return opened
  }

  async function begin(): Promise<void> {
    own = []
    found = 0
    await tab.player.login()
    await tab.player.flush()
    await new Promise((resolve) => setTimeout(resolve, 3)) // the adoption
    found = sum()
  }

  await begin()
  for (const [at, each] of steps.entries()) {
    const { player, hide, kill } = tab
    if (each.do === 'track') {
      for (let turn = 0; turn < each.count; turn += 1) {
        const id = `e${tracked.length}`
        tracked.push(id)
        player.track('Own', { id, text: 'x'.repeat(each.bytes) }, { priority: each.critical ? 'critical' : 'ordinary' })
        own.push(id)
      }
    } else if (each.do === 'persist') {
      await player.persisted()
      for (const id of own) stored.add(id)
    } else if (each.do === 'flush') await player.flush()
    else if (each.do === 'hide') hide()
    else if (each.do === 'service') service.mode = each.mode
    else if (each.do === 'clock') browser.clockOffsetMs += each.ms
    else if (each.do === 'relogin') {
      await player.logout()
      check(`${at}: after the logout`)
      await player.login()
    } else {
      kill()
      tab = openTab()
      await begin()
    }
    check(`step ${at}, ${each.do}`)
  }

  service.mode = 'good'
  await tab?.player.flush()
  await tab?.player.flush()
  await new Promise((resolve) => setTimeout(resolve, 3))
  check('the end')
  expect(tab?.player.stats().buffered).toBe(0)
  const arrived = new Set(service.received)
  expect([...stored].filter((id) => !arrived.has(id) && !dropped.has(id))).toEqual([])
  const crashed = steps.some((each) => each.do === 'crash')
  if (!crashed) expect(tracked.filter((id) => !arrived.has(id) && !dropped.has(id))).toEqual([])
  expect([...arrived].filter((id) => !tracked.includes(id))).toEqual([])
  await browser.close()
}

describe('the model', () => {
  it('holds whatever happens', { timeout: 120_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), run), { numRuns: 120, endOnFailure: false })
  })
})
