import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { event, start } from './client.ts'

async function startControl(options = {}) {
  const started = await start(options)
  /** The status and the body of a control call. */
  async function control(method: string, path: string, body?: unknown) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const reply = await fetch(`${started.sandbox.url}/_sandbox${path}`, { method, ...(text !== undefined && { body: text }) })
    return [reply.status, await reply.json()]
  }
  return { ...started, control }
}

describe('the control API', () => {
  it('shows the state', async () => {
    const { control, login, send, sandbox } = await startControl()
    await send(await login(), [event('a'), event('a')])
    const [status, state] = await control('GET', '')
    expect(status).toBe(200)
    expect(state).toEqual({
      notices: [],
      settings: { ...sandbox.settings },
      faults: [],
      stats: {
        received: 2,
        distinct: 1,
        duplicates: 1,
        players: { [sandbox.events()[0]?.player ?? '']: { received: 2, distinct: 1, duplicates: 1 } },
        requests: 2,
        operations: {
          authLogin: { requests: 1, succeeded: 1 },
          authRefresh: { requests: 0, succeeded: 0 },
          getPlayerStatus: { requests: 0, succeeded: 0 },
          getPlayerStoreConfig: { requests: 0, succeeded: 0 },
          sendEvents: { requests: 1, succeeded: 1 },
        },
      },
      breaches: [],
    })
  })

  it('shows events, of all players or of one, and requests', async () => {
    const { control, login, send, sandbox } = await startControl()
    const one = await login({ deviceId: 'one' })
    const two = await login({ deviceId: 'two' })
    await send(one, [event('a')])
    await send(two, [event('b')])
    expect(await control('GET', '/events')).toEqual([200, sandbox.events()])
    const [, own] = await control('GET', `/events?player=${two.userId}`)
    expect(own).toEqual([{ player: two.userId, sequence: 2, request: 4, receivedAt: expect.any(Number), copy: 1, event: event('b') }])
    expect(await control('GET', '/requests')).toEqual([200, sandbox.requests()])
    expect(sandbox.requests().at(-1)).toEqual({
      number: 4,
      at: expect.any(Number),
      method: 'POST',
      path: '/v1/events',
      operation: 'sendEvents',
      status: 202,
      durationMs: expect.any(Number),
      player: two.userId,
      events: 1,
    })
  })

  it('adds, lists and removes faults', async () => {
    const { control, get } = await startControl()
    const fault = { kind: 'status', status: 503, path: '/v1' }
    const [status, { id }] = (await control('POST', '/faults', fault)) as [number, { id: string }]
    expect(status).toBe(200)
    expect((await get('/v1/player/status')).status).toBe(503)
    expect(await control('GET', '/faults')).toEqual([200, [{ id, fault, applied: 1 }]])
    expect(await control('DELETE', `/faults/${id}`)).toEqual([200, {}])
    expect(await control('DELETE', `/faults/${id}`)).toEqual([404, { error: 'No such fault is active' }])
    await control('POST', '/faults', fault)
    expect(await control('DELETE', '/faults')).toEqual([200, {}])
    expect((await get('/v1/player/status')).status).toBe(401)
  })

  it('changes settings, all that are given or none', async () => {
    const { control, sandbox, login } = await startControl()
    expect(await control('POST', '/settings', { expiresIn: 60, reply: 'wrapped' })).toEqual([200, { ...sandbox.settings }])
    expect((await login()).expiresIn).toBe(60)
    expect(await control('POST', '/settings', { expiresIn: 70, reply: 'fancy' })).toEqual([
      400,
      { error: '/reply must be one of "bare", "wrapped"' },
    ])
    expect(await control('POST', '/settings', { expires: 1 })).toEqual([400, { error: "the settings must not have the member 'expires'" }])
    expect(sandbox.settings.expiresIn).toBe(60)
  })

  it('expires and revokes tokens', async () => {
    const { control, login, status, refresh } = await startControl()
    const session = await login()
    expect(await control('POST', '/tokens/expire')).toEqual([200, {}])
    expect((await status(session)).status).toBe(401)
    expect(await control('POST', '/tokens/revoke')).toEqual([200, {}])
    expect((await refresh(session.refreshToken)).status).toBe(401)
  })

  it('resets', async () => {
    const { control, login, send, status, sandbox } = await startControl({ expiresIn: 60 })
    const session = await login()
    await send(session, [event('a')])
    sandbox.configure({ expiresIn: 5, clockOffsetMs: 1000 })
    sandbox.addFault({ kind: 'portal' })
    expect(await control('POST', '/reset')).toEqual([200, {}])
    expect([sandbox.events(), sandbox.requests(), sandbox.faults(), sandbox.stats().requests]).toEqual([[], [], [], 0])
    expect([sandbox.settings.expiresIn, sandbox.settings.clockOffsetMs]).toEqual([60, 0])
    expect((await status(session)).status).toBe(401)
    expect((await login()).userId).toBe(session.userId)
  })

  it('lists what exists where nothing is', async () => {
    const { control } = await startControl()
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['PUT', '/faults'],
      ['GET', '/tokens/expire'],
      ['GET', '/constructor'],
    ] as const) {
      expect(await control(method, path)).toEqual([
        404,
        { error: 'There is nothing here', exists: expect.arrayContaining(['POST /_sandbox/faults']) },
      ])
    }
  })

  it.each([
    ['/faults', '{', 'The body is not valid JSON'],
    ['/faults', undefined, 'the fault must be object'],
    ['/faults', '[]', 'the fault must be object'],
    ['/settings', 'null', 'the settings must be object'],
  ])('%s with %s gets 400', async (path, body, error) => {
    const { control } = await startControl()
    expect(await control('POST', path, body)).toEqual([400, { error }])
  })

  it('is not touched by faults or forms, and not counted', async () => {
    const { control, sandbox } = await startControl({ reply: 'wrapped', errors: 'object' })
    sandbox.addFault({ kind: 'drop', when: 'before' })
    sandbox.addFault({ kind: 'drop', when: 'before', path: '/_sandbox' })
    expect((await control('GET', '/faults'))[0]).toBe(200)
    expect((await control('GET', '/nowhere'))[1]).toMatchObject({ error: 'There is nothing here' })
    expect(sandbox.requests()).toEqual([])
  })
})

describe('options', () => {
  it('take every setting, and no misspelt one', async () => {
    const { sandbox } = await start({ maxBodyBytes: 100, eventsStatus: 201 })
    expect(sandbox.settings).toMatchObject({ maxBodyBytes: 100, eventsStatus: 201, expiresIn: 3600 })
    await expect(createSandbox({ expiresin: 1 } as object)).rejects.toThrow("must not have the member 'expiresin'")
    await expect(createSandbox({ expiresIn: 0 })).rejects.toThrow('/expiresIn must be > 0')
  })

  it('that are undefined are as good as absent', async () => {
    const { sandbox } = await start({ reply: undefined, host: undefined } as object)
    expect(sandbox.settings.reply).toBe('bare')
  })
})
