import { describe, expect, it } from 'vitest'
import { fetchHttp } from '../../src/platform/fetch.ts'
import { remoteSigner } from '../../src/signer.ts'
import { createSigningHandler } from '../../src/signing/index.ts'
import { counts, start, times } from './start.ts'

const HOUR = 3_600_000
const OFFSETS = [2 * HOUR, -2 * HOUR, 240 * HOUR]

/** A page of another origin to which CORS does not show `Date`: Node’s fetch would. */
const withoutDate = {
  async http(...args: Parameters<typeof fetchHttp>) {
    const response = await fetchHttp(...args)
    delete response.headers.date
    return response
  },
}

describe.each(OFFSETS)('a device clock that is %i ms off', (offset) => {
  it('logs in after one refusal, and the next 20 calls make no refresh', async () => {
    const { sandbox, browser } = await start()
    browser.clockOffsetMs = offset
    const { player } = browser.open()
    const session = await player.login()
    for (const _ of times(20, () => 0)) await player.fetchStatus()
    expect(counts(sandbox)).toEqual({ logins: 1, failedLogins: 1, refreshes: 0, failedRefreshes: 0 })
    expect(Math.abs(player.stats().clockOffsetMs + offset)).toBeLessThan(2000)
    // In the device's own clock, so that the game can count down with it.
    expect(Math.abs(session.expiresAt - (Date.now() + offset) - HOUR)).toBeLessThan(5000)
  })

  it('is right at the first attempt of the next login', async () => {
    const { sandbox, browser } = await start()
    browser.clockOffsetMs = offset
    const { player } = browser.open()
    await player.login()
    await player.logout()
    await player.login()
    expect(counts(sandbox)).toMatchObject({ logins: 2, failedLogins: 1 })
  })

  it('is a clock error where the service’s time cannot be read', async () => {
    const { sandbox, browser } = await start({}, withoutDate)
    browser.clockOffsetMs = offset
    await expect(browser.open().player.login()).rejects.toMatchObject({
      code: 'clock',
      status: 400,
      message: expect.stringContaining('remoteSigner'),
    })
    expect(counts(sandbox)).toMatchObject({ logins: 0, failedLogins: 1 })
  })

  it('does no harm with a remote signer, even then', async () => {
    const { sandbox, browser } = await start({}, withoutDate)
    browser.clockOffsetMs = offset
    const handler = createSigningHandler({ keys: { 'dev-key': 'dev-secret' }, authorize: () => true })
    const signer = remoteSigner({ url: 'https://studio.example.com/sign' })
    const { player } = browser.open({
      // The studio's server, without a socket: the handler is the real one.
      signer: (request, platform) =>
        signer(request, {
          ...platform,
          async http({ url, method, headers, body = '' }) {
            const response = await handler(new Request(url, { method, headers, body }))
            return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
          },
        }),
    })
    await player.login()
    for (const _ of times(20, () => 0)) await player.fetchStatus()
    expect(counts(sandbox)).toEqual({ logins: 1, failedLogins: 0, refreshes: 0, failedRefreshes: 0 })
    // Learnt from the token's own time of issue.
    expect(Math.abs(player.stats().clockOffsetMs + offset)).toBeLessThan(2000)
  })
})

describe('the clock error', () => {
  it('says by how much the signing clock is off, and there is no third attempt', async () => {
    const { sandbox, browser } = await start()
    const stubborn = async () => ({ timestamp: '2026-01-01T00:00:00Z', signature: 'x' })
    const { player } = browser.open({ signer: stubborn })
    sandbox.addFault({ kind: 'status', status: 400, body: { error: 'no' }, path: '/auth/login' })
    await expect(player.login()).rejects.toMatchObject({ code: 'clock', message: expect.stringMatching(/is \d+ minutes behind/) })
    expect(counts(sandbox)).toMatchObject({ logins: 0, failedLogins: 2 })
  })

  it('is not raised for a 400 of another kind: the time was right', async () => {
    const { sandbox, browser } = await start()
    sandbox.addFault({ kind: 'status', status: 400, body: { error: 'outside the acceptable time window' }, path: '/auth/login' })
    await expect(browser.open().player.login()).rejects.toMatchObject({ code: 'http', status: 400 })
    expect(counts(sandbox).failedLogins).toBe(1)
  })
})
