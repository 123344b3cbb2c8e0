import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { event, type Login, start } from './client.ts'

let data: string

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'player-data-'))
})

afterEach(() => rmSync(data, { recursive: true }))

const lines = () => readFileSync(join(data, 'events.jsonl'), 'utf8').split('\n').slice(0, -1)

describe('over a restart', () => {
  it('players, tokens, events and their order are kept', async () => {
    const one = await start({ data })
    const session = await one.login()
    await one.send(session, [event('a'), event('b')])
    await one.sandbox.close()

    const two = await start({ data })
    expect(two.sandbox.notices).toEqual([])
    expect((await two.status(session)).status).toBe(200)
    await two.send(session, [event('a')])
    expect(two.sandbox.events().map(({ sequence, copy, event: { payload } }) => [sequence, copy, payload.adId])).toEqual([
      [1, 1, 'a'],
      [2, 1, 'b'],
      [3, 2, 'a'],
    ])
    const requests = two.sandbox.events().map(({ request }) => request)
    expect(requests[2]).toBeGreaterThan(requests[1] ?? Infinity)
    expect(lines().map((line) => JSON.parse(line).sequence)).toEqual([1, 2, 3])
    const refreshed = (await (await two.refresh(session.refreshToken)).json()) as Login
    expect((await two.refresh(session.refreshToken)).status).toBe(401)
    await two.sandbox.close()

    const three = await start({ data })
    expect((await three.refresh(session.refreshToken)).status).toBe(401)
    expect((await three.refresh(refreshed.refreshToken)).status).toBe(200)
  })

  it('expired and revoked tokens stay so', async () => {
    const one = await start({ data })
    const session = await one.login()
    one.sandbox.expireAccessTokens()
    one.sandbox.revokeRefreshTokens()
    await one.sandbox.close()
    const two = await start({ data })
    expect([(await two.status(session)).status, (await two.refresh(session.refreshToken)).status]).toEqual([401, 401])
  })

  it('a reset is one', async () => {
    const one = await start({ data })
    const session = await one.login()
    await one.send(session, [event('a')])
    one.sandbox.reset()
    await one.sandbox.close()
    const two = await start({ data })
    expect(two.sandbox.events()).toEqual([])
    expect((await two.status(session)).status).toBe(401)
  })

  it('without a folder nothing is kept', async () => {
    const one = await start()
    const session = await one.login()
    await one.sandbox.close()
    expect((await (await start()).status(session)).status).toBe(401)
  })
})

describe('a damaged folder', () => {
  it('a last line that is half written is removed and told; the next event has a line of its own', async () => {
    const one = await start({ data })
    const session = await one.login()
    await one.send(session, [event('a')])
    await one.sandbox.close()
    appendFileSync(join(data, 'events.jsonl'), '{"sequence":2,"player":"pla')

    const two = await start({ data })
    expect(two.sandbox.notices).toEqual([expect.stringContaining('the last line was half written')])
    await two.send(session, [event('b')])
    expect(lines().map((line) => JSON.parse(line).event.payload.adId)).toEqual(['a', 'b'])
  })

  it('a line that cannot be read is passed over and told', async () => {
    const one = await start({ data })
    await one.send(await one.login(), [event('a')])
    await one.sandbox.close()
    const file = join(data, 'events.jsonl')
    writeFileSync(file, `garbage\nnull\n${readFileSync(file, 'utf8')}`)
    const two = await start({ data })
    expect(two.sandbox.notices).toEqual([expect.stringContaining('2 unreadable line(s)')])
    expect(two.sandbox.events()).toHaveLength(1)
  })

  it.each(['{"players":', '7', 'null', '{"players":[]}'])('a state of %s stops the start, and says what to do', async (text) => {
    writeFileSync(join(data, 'state.json'), text)
    await expect(createSandbox({ data })).rejects.toThrow('state.json is damaged. Delete it')
  })

  it('a folder that is a file stops the start, and says what to do', async () => {
    const file = join(data, 'file')
    writeFileSync(file, '')
    await expect(createSandbox({ data: file })).rejects.toThrow('cannot be written to (it is not a folder)')
    await expect(createSandbox({ data: join(file, 'below') })).rejects.toThrow('cannot be written to (it is not a folder)')
  })

  it('a disk that fails later: nothing counts as received, and the sandbox lives', async () => {
    const one = await start({ data })
    const session = await one.login()
    rmSync(data, { recursive: true })
    writeFileSync(data, '')
    const reply = await one.send(session, [event('a')])
    expect([reply.status, await reply.json()]).toEqual([500, { error: expect.stringContaining('The sandbox failed') }])
    expect(one.sandbox.events()).toEqual([])
    expect((await one.status(session)).status).toBe(200)
    expect((await one.post('/_sandbox/tokens/expire', {})).status).toBe(500)
  })
})

it('the state is for the owner alone, and holds no refresh token', async () => {
  const one = await start({ data })
  const { refreshToken, accessToken } = await one.login()
  const file = join(data, 'state.json')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0)
  const text = readFileSync(file, 'utf8')
  for (const secret of [refreshToken, accessToken, 'dev-secret']) expect(text).not.toContain(secret)
})
