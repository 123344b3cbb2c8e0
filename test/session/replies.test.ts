// Both forms of every reply, and what is no reply of the service at all.

import { describe, expect, it } from 'vitest'
import type { Fault } from '../../src/sandbox/index.ts'
import { counts, start } from './start.ts'

describe.each(['bare', 'wrapped'] as const)('%s replies', (reply) => {
  it('serve the whole session', async () => {
    const { sandbox, browser } = await start({ reply })
    const { player } = browser.open()
    await player.login()
    expect(player.status).toEqual(await player.fetchStatus())
    expect(player.store).toEqual(await player.fetchStore())
    sandbox.expireAccessTokens()
    expect((await player.api.GET('/v1/player/status')).data).toEqual(player.status)
    expect(counts(sandbox)).toMatchObject({ logins: 1, refreshes: 1 })
  })
})

describe.each(['text', 'object'] as const)('errors as %s', (errors) => {
  it('say what the service said', async () => {
    const { sandbox, browser } = await start({ errors, secret: 'another' })
    const failed = browser.open().player.login()
    await expect(failed).rejects.toMatchObject({
      code: 'auth',
      status: 401,
      message: expect.stringContaining('Invalid authentication credentials'),
    })
    if (errors === 'object') await expect(failed).rejects.toMatchObject({ serviceCode: expect.anything() })
    expect(sandbox.stats().requests).toBe(1)
  })
})

const NO_REPLIES: [string, Omit<Extract<Fault, { kind: 'status' }>, 'kind'>, object][] = [
  [
    '200 with status "error"',
    { status: 200, body: { error: { code: 'E7', message: 'maintenance' }, status: 'error' } },
    { code: 'http', serviceCode: 'E7', message: expect.stringContaining('maintenance') },
  ],
  ['HTML with 200', { status: 200, body: '<html>hi</html>', contentType: 'text/html' }, { code: 'protocol' }],
  ['an empty body', { status: 200, body: '', contentType: 'application/json' }, { code: 'protocol' }],
  ['truncated JSON', { status: 200, body: '{"isPayer":{"va', contentType: 'application/json' }, { code: 'protocol' }],
  ['HTML with 502', { status: 502, body: '<html>Bad gateway</html>', contentType: 'text/html' }, { code: 'http', status: 502 }],
  ['null', { status: 200, body: 'null', contentType: 'application/json' }, { code: 'protocol' }],
  ['wrapped nothing', { status: 200, body: { data: null, status: 'success' } }, { code: 'protocol' }],
]

describe.each(NO_REPLIES)('%s', (_, fault, error) => {
  it('is the stated error of a data call, and harms neither session nor status', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    const { status } = player
    sandbox.addFault({ kind: 'status', ...fault, path: '/v1/player/status', times: 1 })
    await expect(player.fetchStatus()).rejects.toMatchObject(error)
    expect(player.status).toEqual(status)
    expect(await player.fetchStatus()).toEqual(status)
    expect(counts(sandbox)).toMatchObject({ logins: 1, refreshes: 0 })
  })

  it('is the stated error of a login, too', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    sandbox.addFault({ kind: 'status', ...fault, path: '/auth/login', times: 1 })
    await expect(player.login()).rejects.toMatchObject(error)
    expect((await player.login()).userId).toMatch(/^player-/)
  })
})

it('unknown members are kept', async () => {
  const { sandbox, browser } = await start()
  const { player } = browser.open()
  await player.login()
  const body = { ...player.status, vip: { value: true, since: [1, 2] } }
  sandbox.addFault({ kind: 'status', status: 200, body, path: '/v1/player/status' })
  expect(await player.fetchStatus()).toEqual(body)
})
