import { describe, expect, it, vi } from 'vitest'
import type { Sandbox } from '../../src/sandbox/index.ts'
import { start, times } from '../session/start.ts'

/** The ids of the ad impressions that the service has, in the order of their arrival. */
const idsAt = (sandbox: Sandbox) => sandbox.events().map(({ event }) => (event.payload as { adId: string }).adId)
const ids = (count: number, prefix = 'a') => times(count, (at) => `${prefix}${at}`)
const fast = { intervalMs: 20 }

describe('track', () => {
  it('delivers in order, with time, metadata, player and session filled in', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ metadata: { deviceType: 'phone', osName: 'Test', osVersion: '1' }, sessionId: 's1', events: fast })
    await player.login()
    const before = Date.now()
    for (const adId of ids(3)) player.track('Ad_Impression', { adId, campaignId: 'c' })
    player.track('Level_Complete', { level: 3 })
    player.track('Ping')
    await vi.waitFor(() => expect(sandbox.events()).toHaveLength(5))
    const [first, , , level, ping] = sandbox.events().map(({ event }) => event)
    expect(first?.payload).toEqual({ userId: player.session?.userId, sessionId: 's1', adId: 'a0', campaignId: 'c' })
    expect(first?.metadata).toEqual({ deviceType: 'phone', osName: 'Test', osVersion: '1' })
    expect(Math.abs(Date.parse(first?.timestamp ?? '') - before)).toBeLessThan(1000)
    expect([level?.payload, ping?.payload]).toEqual([{ level: 3 }, {}])
    const timesOf = sandbox.events().map(({ event }) => event.timestamp)
    expect(new Set(timesOf).size).toBe(5)
    expect([...timesOf].sort()).toEqual(timesOf)
    await vi.waitFor(() => expect(player.stats()).toMatchObject({ buffered: 0, bufferedBytes: 0, delivered: 5, dropped: {}, resent: 0 }))
  })

  it('leaves the caller’s own ids alone', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    player.track(
      'Ad_Impression',
      { adId: 'a', userId: 'mine', sessionId: 'own' },
      { timestamp: Date.UTC(2026, 0, 1), metadata: { own: true } },
    )
    expect(await player.flush()).toEqual({ delivered: 1, remaining: 0 })
    expect(sandbox.events()[0]?.event).toEqual({
      eventType: 'Ad_Impression',
      timestamp: '2026-01-01T00:00:00.000Z',
      payload: { adId: 'a', userId: 'mine', sessionId: 'own' },
      metadata: { own: true },
    })
  })

  it('sends a batch’s worth at once, the rest on the interval, several segments in one request', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: { intervalMs: 300, batchEvents: 250 } })
    await player.login()
    for (const adId of ids(620)) player.track('Ad_Impression', { adId })
    await vi.waitFor(() => expect(sandbox.events()).toHaveLength(620))
    const sizes = sandbox
      .requests()
      .filter(({ path }) => path === '/v1/events')
      .map(({ events }) => events)
    expect(sizes.reduce((sum = 0, size = 0) => sum + size, 0)).toBe(620)
    expect(Math.max(...sizes.map((size = 0) => size))).toBeLessThanOrEqual(250)
    expect(sizes.length).toBeLessThanOrEqual(6)
    expect(idsAt(sandbox)).toEqual(ids(620))
  })

  it('before login keeps events, which the login claims with the right times', async () => {
    const { sandbox, browser } = await start()
    browser.clockOffsetMs = 2 * 3_600_000
    const { player } = browser.open({ events: fast })
    const happened = Date.now()
    player.track('Ad_Impression', { adId: 'early' })
    player.track('Ad_Impression', { adId: 'dated' }, { timestamp: Date.UTC(2026, 0, 1) })
    expect(player.stats().buffered).toBe(2)
    await player.login()
    player.track('Ad_Impression', { adId: 'late' })
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(['early', 'dated', 'late']))
    const [early, dated] = sandbox.events().map(({ event }) => event)
    expect(Math.abs(Date.parse(early?.timestamp ?? '') - happened)).toBeLessThan(3000)
    expect(dated?.timestamp).toBe('2026-01-01T00:00:00.000Z')
    expect(early?.payload).toMatchObject({ userId: player.session?.userId })
    await vi.waitFor(() => expect(player.stats()).toMatchObject({ delivered: 3, buffered: 0 }))
  })

  it('before login survives a restart, and is claimed then', async () => {
    const { sandbox, browser } = await start()
    const first = browser.open()
    first.player.track('Ad_Impression', { adId: 'early' })
    await first.player.persisted()
    first.kill()
    const second = browser.open({ events: fast })
    await second.player.login()
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(['early']))
  })
})

describe('an outage', () => {
  it('loses nothing, and delivery resumes without a new event', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: fast })
    await player.login()
    browser.online = false
    for (const adId of ids(250)) player.track('Ad_Impression', { adId })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(player.stats()).toMatchObject({ buffered: 250, delivered: 0 })
    browser.online = true
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(250)), { timeout: 10_000 })
    expect(sandbox.stats().duplicates).toBe(0)
  })

  it('survives a restart: what was stored goes out', async () => {
    const { sandbox, browser } = await start()
    const first = browser.open({ events: fast })
    await first.player.login()
    browser.online = false
    for (const adId of ids(137)) first.player.track('Ad_Impression', { adId })
    await first.player.persisted()
    first.kill()
    browser.online = true
    const second = browser.open({ events: fast })
    await second.player.login()
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(137)))
    expect(second.player.stats()).toMatchObject({ delivered: 137, buffered: 0 })
    expect((await browser.storage.keys('')).filter((key) => key.includes('/events/') || key.includes('/sending/'))).toEqual([])
  })

  it.each([
    ['503 with HTML', { kind: 'status', status: 503, body: '<html>', contentType: 'text/html' }],
    ['a captive portal', { kind: 'portal' }],
    ['a reset before', { kind: 'drop', when: 'before' }],
    ['a 2xx that says error', { kind: 'status', status: 200, body: { status: 'error', error: { code: 1, message: 'no' } } }],
    ['429', { kind: 'status', status: 429 }],
    ['429 with junk', { kind: 'status', status: 429, headers: { 'Retry-After': 'soon, please' } }],
  ] as const)('by %s: every event once', async (_, fault) => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: fast })
    await player.login()
    sandbox.addFault({ ...fault, path: '/v1/events', times: 2 })
    for (const adId of ids(40)) player.track('Ad_Impression', { adId })
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(ids(40)), { timeout: 12_000 })
    expect(sandbox.stats().duplicates).toBe(0)
    expect(sandbox.stats().operations.sendEvents?.requests).toBe(3)
  })

  it('a reply lost after the service stored: sent again, and counted', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: fast })
    await player.login()
    sandbox.addFault({ kind: 'drop', when: 'after', path: '/v1/events', times: 1 })
    for (const adId of ids(10)) player.track('Ad_Impression', { adId })
    await vi.waitFor(() => expect(player.stats().delivered).toBe(10), { timeout: 8000 })
    expect(sandbox.stats()).toMatchObject({ distinct: 10, duplicates: 10 })
    expect(player.stats().resent).toBe(10)
  })

  it.each([
    ['seconds', () => '2'],
    ['a date', () => new Date(Date.now() + 2500).toUTCString()],
  ])('with a Retry-After in %s: no request before, not even by flush()', async (_, value) => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: fast })
    await player.login()
    sandbox.addFault({ kind: 'status', status: 429, headers: { 'Retry-After': value() }, path: '/v1/events', times: 1 })
    player.track('Ad_Impression', { adId: 'a0' })
    await vi.waitFor(() => expect(sandbox.stats().operations.sendEvents?.requests).toBe(1))
    const refusedAt = Date.now()
    player.track('Ad_Impression', { adId: 'a1' })
    expect(await player.flush()).toEqual({ delivered: 0, remaining: 2 })
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(['a0', 'a1']), { timeout: 8000 })
    expect(Date.now() - refusedAt).toBeGreaterThan(1300)
    expect(sandbox.stats().operations.sendEvents?.requests).toBe(2)
  })

  it('flush() passes a backoff', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: fast })
    await player.login()
    sandbox.addFault({ kind: 'status', status: 503, path: '/v1/events', times: 1 })
    player.track('Ad_Impression', { adId: 'a0' })
    await vi.waitFor(() => expect(sandbox.stats().operations.sendEvents?.requests).toBe(1))
    expect(await player.flush()).toEqual({ delivered: 1, remaining: 0 })
  })

  it('an expired token on events: renewed, and sent again', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: fast })
    await player.login()
    sandbox.expireAccessTokens()
    player.track('Ad_Impression', { adId: 'a0' })
    await vi.waitFor(() => expect(idsAt(sandbox)).toEqual(['a0']))
    expect(player.stats()).toMatchObject({ delivered: 1, resent: 0 })
  })

  it.each([403, 404, 410])('%i: kept, told once, and few requests', async (status) => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ events: fast })
    await player.login()
    const errors: unknown[] = []
    player.on('error', (error) => errors.push(error))
    sandbox.addFault({ kind: 'status', status, path: '/v1/events' })
    for (const adId of ids(5)) player.track('Ad_Impression', { adId })
    await vi.waitFor(() => expect(errors).toHaveLength(1))
    await player.flush()
    expect(player.stats()).toMatchObject({ buffered: 5, delivered: 0, dropped: {} })
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'http', status })
    expect(sandbox.stats().operations.sendEvents?.requests).toBe(2)
    sandbox.clearFaults()
    expect(await player.flush()).toEqual({ delivered: 5, remaining: 0 })
  })
})

it('what is told as delivered is no longer counted as waiting', async () => {
  const { browser } = await start()
  const { player } = browser.open()
  await player.login()
  const seen: number[] = []
  player.on('delivered', ({ events }) => seen.push(events, player.stats().buffered))
  for (const adId of ids(3)) player.track('Ad_Impression', { adId })
  await player.flush()
  expect(seen).toEqual([3, 0])
})

describe('a batch that the service does not take', () => {
  it('one poison event among 500 is found and dropped alone', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    const dropped: { reason: string; events: unknown[] }[] = []
    player.on('dropped', (event) => dropped.push(event))
    sandbox.addFault({ kind: 'reject-events', match: { contains: 'poison' } })
    for (const adId of ids(500)) player.track('Ad_Impression', { adId: adId === 'a317' ? 'poison' : adId })
    expect(await player.flush()).toEqual({ delivered: 499, remaining: 0 })
    expect(new Set(idsAt(sandbox))).toEqual(new Set(ids(500).filter((id) => id !== 'a317')))
    expect(sandbox.stats().duplicates).toBe(0)
    await vi.waitFor(() =>
      expect(dropped).toEqual([
        {
          reason: 'rejected',
          events: [expect.objectContaining({ payload: expect.objectContaining({ adId: 'poison' }) })],
          message: expect.stringContaining('An event of this batch was rejected'),
        },
      ]),
    )
    expect(player.stats().dropped).toEqual({ rejected: 1 })
    expect(sandbox.stats().operations.sendEvents?.requests).toBeLessThan(40)
  })

  it.each([
    ['first', ['a0']],
    ['last', ['a29']],
    ['two neighbours', ['a0', 'a1']],
    ['scattered', ['a3', 'a4', 'a17', 'a28']],
  ])('poison at the %s is found', async (_, bad) => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.addFault({ kind: 'reject-events', match: { contains: 'poison' }, status: 422 })
    for (const adId of ids(30)) player.track('Ad_Impression', { adId: bad.includes(adId) ? `poison-${adId}` : adId })
    expect(await player.flush()).toEqual({ delivered: 30 - bad.length, remaining: 0 })
    expect(idsAt(sandbox).sort()).toEqual(
      ids(30)
        .filter((id) => !bad.includes(id))
        .sort(),
    )
    expect(player.stats().dropped).toEqual({ rejected: bad.length })
  })

  it('a service that refuses everything loses nothing, and gets few requests', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    const errors: unknown[] = []
    player.on('error', (error) => errors.push(error))
    sandbox.addFault({ kind: 'status', status: 400, path: '/v1/events' })
    for (const adId of ids(500)) player.track('Ad_Impression', { adId })
    expect(await player.flush()).toEqual({ delivered: 0, remaining: 500 })
    expect(sandbox.stats().operations.sendEvents?.requests).toBeLessThan(25)
    expect(errors).toHaveLength(1)
    expect(player.stats().dropped).toEqual({})
    sandbox.clearFaults()
    expect(await player.flush()).toEqual({ delivered: 500, remaining: 0 })
    expect(sandbox.stats()).toMatchObject({ distinct: 500, duplicates: 0 })
  })

  it('a single event that is refused is kept until another one is taken', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.addFault({ kind: 'reject-events', match: { contains: 'poison' } })
    player.track('Ad_Impression', { adId: 'poison' })
    expect(await player.flush()).toEqual({ delivered: 0, remaining: 1 })
    player.track('Ad_Impression', { adId: 'good' })
    expect(await player.flush()).toEqual({ delivered: 1, remaining: 0 })
    expect(player.stats().dropped).toEqual({ rejected: 1 })
  })

  it('413 at 4 KB: halved until it passes', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.addFault({ kind: 'too-large', bytes: 4096, path: '/v1/events' })
    for (const adId of ids(200)) player.track('Ad_Impression', { adId })
    expect(await player.flush()).toEqual({ delivered: 200, remaining: 0 })
    expect(idsAt(sandbox)).toEqual(ids(200))
  })

  it('a single event that is too large for the service is dropped alone', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.addFault({ kind: 'too-large', bytes: 4096, path: '/v1/events' })
    player.track('Ad_Impression', { adId: 'a0' })
    player.track('Big', { text: 'x'.repeat(10_000) })
    player.track('Ad_Impression', { adId: 'a1' })
    expect(await player.flush()).toEqual({ delivered: 2, remaining: 0 })
    expect(player.stats().dropped).toEqual({ 'too-large': 1 })
  })
})
