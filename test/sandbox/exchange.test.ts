// Replies are held against the contract, and nothing secret gets into what the sandbox shows.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLine, type RequestEntry } from '../../src/sandbox/index.ts'
import { redactPath } from '../../src/sandbox/traffic.ts'
import { event, start } from './client.ts'

describe('a reply that breaks the contract', () => {
  let data: string

  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'player-data-'))
  })

  afterEach(() => rmSync(data, { recursive: true }))

  /** A session whose player was broken by hand, in the file where the sandbox keeps it. */
  async function startBroken(strict: boolean) {
    const one = await start({ data })
    const session = await one.login()
    await one.sandbox.close()
    const file = join(data, 'state.json')
    const state = JSON.parse(readFileSync(file, 'utf8'))
    state.players[0].playerConfig.playerStatus.isPayer.value = 'yes'
    writeFileSync(file, JSON.stringify(state))
    return { session, ...(await start({ data, strict })) }
  }

  const breach = 'GET /v1/player/status 200: /isPayer/value must be boolean'

  it('becomes a 500 where the sandbox is strict', async () => {
    const { sandbox, session, status, store } = await startBroken(true)
    const reply = await status(session)
    expect(reply.status).toBe(500)
    expect(((await reply.json()) as { error: string }).error).toContain(breach)
    expect(sandbox.breaches()).toEqual([expect.stringContaining(breach)])
    expect((await store(session)).status).toBe(200)
  })

  it('is listed, and sent, where it is not', async () => {
    const { sandbox, session, status } = await startBroken(false)
    expect((await status(session)).status).toBe(200)
    expect(sandbox.breaches()).toEqual([expect.stringContaining(breach)])
  })
})

it('every kind of error is one that the contract allows, in both forms', async () => {
  for (const errors of ['text', 'object'] as const) {
    const { sandbox, post, get, send, login } = await start({ errors })
    const session = await login()
    sandbox.addFault({ kind: 'reject-events', match: { contains: 'bad' }, status: 422 })
    const replies = [
      await get('/v1/events'),
      await post('/auth/login', '{'),
      await post('/auth/login', 'x', { 'content-type': 'text/plain' }),
      await post('/auth/login', 'x'.repeat(1024 * 1024 + 1)),
      await post('/v1/events', []),
      await send(session, {}),
      await send({ ...session, tenantId: 'other' }, []),
      await send(session, [event('bad')]),
    ]
    expect(replies.map(({ status }) => status)).toEqual([405, 400, 415, 413, 401, 400, 403, 422])
    for (const reply of replies) {
      const body = (await reply.json()) as { error: unknown }
      if (errors === 'text') expect(body).toEqual({ error: expect.any(String) })
      else expect(body).toEqual({ error: { code: expect.any(String), message: expect.any(String) }, status: 'error' })
    }
    expect(sandbox.breaches()).toEqual([])
  }
})

describe('the log', () => {
  it('never shows a secret, a signature or a token', async () => {
    const entries: RequestEntry[] = []
    const secret = 'canary-secret-91'
    const { sandbox, login, status, refresh, get, post, send } = await start({ secret, onRequest: (entry) => entries.push(entry) })
    const session = await login({ secret })
    await status(session)
    const refreshed = (await (await refresh(session.refreshToken)).json()) as typeof session
    await refresh(session.refreshToken)
    const signature = 'canary+signature/91='
    await post('/auth/login', { apiKey: 'dev-key', deviceId: 'd', timestamp: secret, signature })
    await post('/auth/login', { apiKey: secret, deviceId: 'd', timestamp: '2026-03-01T12:00:00Z', signature })
    await post('/auth/login', `{"signature": ${signature}`)
    await post(`/auth/login?token=${session.accessToken}`, {})
    await get(`/v1/player/${session.accessToken}/x`)
    await get('/v1/player/status', { authorization: `Bearer ${session.accessToken}x`, 'x-tenant-id': secret })
    await send({ ...session, tenantId: secret }, [])
    sandbox.addFault({ kind: 'status', status: 503, times: 1 })
    await send(session, [event('a')])

    const shown = [...entries.map(createLine), JSON.stringify(entries), JSON.stringify(sandbox.breaches())]
    for (const path of ['', '/requests', '/events', '/faults', '/nowhere']) shown.push(await (await get(`/_sandbox${path}`)).text())
    const canaries = [secret, signature, session.accessToken, session.refreshToken, refreshed.accessToken, refreshed.refreshToken]
    for (const canary of canaries) expect(shown.join('\n')).not.toContain(canary)
    expect(entries).toHaveLength(12)
    expect(entries).toEqual(sandbox.requests())
  })

  it('has one line a request', () => {
    const entry = { number: 1, at: Date.UTC(2026, 2, 1, 12, 0, 7, 250), method: 'POST', path: '/v1/events', status: 202, durationMs: 2.6 }
    expect(createLine({ ...entry, player: 'player-51f0', events: 12 })).toBe(
      '12:00:07.250  POST /v1/events  202  3 ms  player-51f0  12 events',
    )
    expect(createLine({ ...entry, status: 0, events: 1, faults: ['latency', 'drop'] })).toBe(
      '12:00:07.250  POST /v1/events  no reply  3 ms  1 event  fault: latency, drop',
    )
    expect(createLine({ ...entry, status: 401, error: 'Invalid authentication credentials' })).toMatch(/401 {2}3 ms {2}Invalid/)
  })

  it('cannot be made to steer the terminal', () => {
    expect(redactPath(`/a\x1b[31m/é/${'x'.repeat(33)}/b`)).toBe('/a?[31m/?/…/b')
    expect(redactPath('/x'.repeat(100)).length).toBeLessThan(20)
  })
})
