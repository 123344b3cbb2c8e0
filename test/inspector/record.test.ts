// The record and the report, on a real player against a sandbox, with the faults that fill them.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PlayerDataError } from '../../src/error.ts'
import { createRecord, type PlayerRecord } from '../../src/inspector/record.ts'
import { createReport } from '../../src/inspector/report.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { type Browser, createBrowser, type Tab } from '../browser.ts'

let sandbox: Sandbox
let browser: Browser
let tab: Tab
let record: PlayerRecord
let now: number
beforeEach(async () => {
  sandbox = await createSandbox({ strict: true })
  browser = createBrowser(sandbox)
  tab = browser.open({ deviceId: 'device-of-the-record' })
  now = Date.UTC(2026, 0, 2)
  record = createRecord(tab.player, () => now)
})
afterEach(async () => {
  record.stop()
  await browser.close()
  await sandbox.close()
})

const report = () => {
  const { session, status, store } = tab.player
  return createReport({ now, version: '1.2.3', host: { page: 'http://game' }, session, status, store, stats: tab.player.stats(), record })
}

describe('the record', () => {
  it('has the requests, the newest first, and no more than forty', async () => {
    await tab.player.login()
    await tab.player.fetchStatus()
    expect(record.calls.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['GET', '/v1/player/status', 200],
      ['POST', '/auth/login', 200],
    ])
    for (let turn = 0; turn < 45; turn += 1) await tab.player.fetchStatus()
    expect(record.calls).toHaveLength(40)
  })

  it('has what was dropped: reason, number, and the first events', async () => {
    for (let at = 0; at < 25; at += 1) tab.player.track('Step', { at })
    tab.player.setConsent('denied')
    await vi.waitFor(() => expect(record.problems).toHaveLength(1))
    expect(record.problems[0]).toMatchObject({ kind: 'dropped', name: 'denied', count: 25 })
    expect(record.problems[0]?.events).toHaveLength(10)
    expect(record.problems[0]?.events[0]).toMatchObject({ eventType: 'Step', payload: { at: 0 } })
  })

  it('has one entry for the same error again and again, and another one later', () => {
    const error = new PlayerDataError('storage', 'full')
    record.note(error)
    record.note(error)
    now += 1500
    record.note(error)
    expect(record.problems.map(({ count }) => count)).toEqual([1, 2])
    expect(record.problemCount).toBe(2)
  })

  it('stays bounded', () => {
    for (let turn = 0; turn < 100; turn += 1) record.note(new PlayerDataError('http', `no ${turn}`))
    expect([record.problems.length, record.problemCount, record.problems[0]?.message]).toEqual([30, 100, 'no 99'])
  })

  it('hears nothing once it is stopped', async () => {
    record.stop()
    await tab.player.login()
    expect([record.calls, [...record.ids]]).toEqual([[], []])
  })
})

describe('the report', () => {
  it('says what the inspector knows', async () => {
    const session = await tab.player.login()
    now = Date.now()
    tab.player.track('Step', { at: 1 })
    tab.player.setConsent('denied')
    await vi.waitFor(() => expect(record.problems).toHaveLength(1))
    expect(JSON.parse(report())).toMatchObject({
      report: 'Player Data Runtime 1.2.3',
      host: { page: 'http://game' },
      session: { offline: false, expiresAt: new Date(session.expiresAt).toISOString() },
      status: tab.player.status,
      store: { activeSkus: tab.player.store?.activeSkus },
      stats: { state: 'online', buffered: 0, dropped: { denied: 1 } },
      requests: [expect.stringMatching(/^\S+Z POST \/auth\/login 200 \d+ ms$/)],
      problems: [{ kind: 'dropped', name: 'denied', count: 1, types: ['Step'] }],
    })
  })

  it('holds no token, no signature, no whole id and no payload', async () => {
    const session = await tab.player.login()
    await tab.player.renew()
    tab.player.track('Step', { secretOfTheGame: 'rosebud' })
    tab.player.setConsent('denied')
    await vi.waitFor(() => expect(record.problems).toHaveLength(1))
    const sent = tab.requests.flatMap(({ headers, body = '{}' }) => {
      const { signature, refreshToken } = JSON.parse(body)
      return [headers.authorization?.replace('Bearer ', ''), signature, refreshToken]
    })
    // A service that says too much, and paths of the game's own making.
    for (const text of sent.filter(Boolean)) record.note(new PlayerDataError('http', `refused ${text} of ${session.userId}`))
    await tab.player.api.GET(`/v1/player/status?who=rosebud` as '/v1/player/status').catch(() => {})
    await tab.player.logout()
    const text = report()
    const secrets = [
      ...sent.filter(Boolean),
      'eyJ',
      'rosebud',
      'dev-secret',
      session.userId,
      session.deviceId,
      session.gameId,
      session.tenantId,
    ]
    expect(secrets.length).toBeGreaterThan(8)
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).toContain('[redacted]')
  })
})
