// Races and odd replies that a session must stand: logouts at every moment, a close at every moment, storages that fail midway.

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../src/memory.ts'
import { fetchHttp } from '../../src/platform/fetch.ts'
import type { KeyValue } from '../../src/port.ts'
import { counts, start, times } from './start.ts'

const HOUR = 3_600_000
const tokenKeys = async (s: KeyValue) => (await s.keys('')).filter((k) => k.endsWith('/tokens'))
/** A storage whose calls can be delayed after the underlying action was made (get) or before it (write). */
function slow(): { storage: KeyValue; getMs: number; writeMs: number; broken: boolean; hang: boolean } {
  const inner = memoryStorage()
  const knobs = { getMs: 0, writeMs: 0, broken: false, hang: false } as ReturnType<typeof slow>
  const gate = async () => {
    if (knobs.broken) throw new Error('connection lost')
    if (knobs.hang) await new Promise(() => {})
  }
  knobs.storage = {
    async get(keys) {
      await gate()
      const v = await inner.get(keys)
      if (knobs.getMs) await sleep(knobs.getMs)
      return v
    },
    async write(c) {
      await gate()
      await inner.write(c)
      if (knobs.writeMs) await sleep(knobs.writeMs)
    },
    async keys(p) {
      await gate()
      return inner.keys(p)
    },
  }
  return knobs
}

describe('logout wins', () => {
  it('over a login that is reading the stored session', async () => {
    const knobs = slow()
    const { browser } = await start({}, { storage: knobs.storage })
    const first = browser.open()
    await first.player.login()
    await first.player.close()
    const { player } = browser.open()
    knobs.getMs = 30
    const login = player.login()
    login.catch(() => {})
    await sleep(45) // lastLogout read, tokens read under way
    await player.logout()
    await login.catch(() => {})
    await sleep(150)
    expect(player.session).toBeNull()
  })
  it('over a login that goes offline', async () => {
    const { sandbox, browser } = await start()
    const first = browser.open()
    await first.player.login()
    await first.player.close()
    await browser.elapse(2 * HOUR)
    const hang = sandbox.addFault({ kind: 'hang', when: 'before', path: '/auth' })
    const { player, requests } = browser.open()
    const login = player.login()
    login.catch(() => {})
    await vi.waitFor(() => expect(requests.length).toBe(1))
    await player.logout()
    sandbox.addFault({ kind: 'drop', when: 'before', path: '/auth' })
    hang()
    browser.online = false
    await sandbox.close().catch(() => {})
    await login.catch(() => {})
    expect(player.session).toBeNull()
  })
  it('over a background refresh without a reply, the token still serving', async () => {
    const { sandbox, browser } = await start()
    const { player, requests } = browser.open()
    await player.login()
    sandbox.addFault({ kind: 'latency', ms: 150, path: '/auth/refresh' })
    sandbox.addFault({ kind: 'drop', when: 'after', path: '/auth/refresh' })
    await browser.elapse(3595_000)
    await vi.waitFor(() => expect(requests.some(({ url }) => url.endsWith('/auth/refresh'))).toBe(true))
    await player.logout()
    expect(player.session).toBeNull()
    await sleep(400)
    expect(player.session).toBeNull()
  })
  it('over a refresh that is answered 503: tokens do not come back to the store', async () => {
    const { sandbox, browser } = await start()
    const { player, requests } = browser.open()
    await player.login()
    sandbox.addFault({ kind: 'latency', ms: 150, path: '/auth/refresh' })
    sandbox.addFault({ kind: 'status', status: 503, path: '/auth/refresh' })
    await browser.elapse(3595_000)
    await vi.waitFor(() => expect(requests.some(({ url }) => url.endsWith('/auth/refresh'))).toBe(true))
    await player.logout()
    await sleep(400)
    expect.soft(player.session).toBeNull()
    expect.soft(await tokenKeys(browser.storage)).toEqual([])
  })
  it('the same from another tab, 401-driven: tokens do not come back to the store', async () => {
    const { sandbox, browser } = await start()
    const [one, two] = [browser.open(), browser.open()]
    await one.player.login()
    await two.player.login()
    sandbox.addFault({ kind: 'latency', ms: 150, path: '/auth/refresh' })
    sandbox.addFault({ kind: 'status', status: 503, path: '/auth/refresh' })
    sandbox.expireAccessTokens()
    const call = two.player.fetchStatus()
    call.catch(() => {})
    await vi.waitFor(() => expect(two.requests.some(({ url }) => url.endsWith('/auth/refresh'))).toBe(true))
    await one.player.logout()
    await call.catch(() => {})
    await sleep(100)
    expect(await tokenKeys(browser.storage)).toEqual([])
  })
  it('in a tab that heard no message and calls login() again', async () => {
    const { browser } = await start({}, { broadcast: { post() {}, listen: () => () => {} } })
    const [one, two] = [browser.open(), browser.open()]
    await one.player.login()
    await two.player.login()
    await one.player.logout()
    const before = two.player.session?.expiresAt
    await two.player.login()
    // a logged-out token must not serve on: this must have been a signed login
    expect(two.requests.filter(({ url }) => url.endsWith('/auth/login')).length, String(before)).toBe(1)
  })
  it('no signed login is made for a player who has logged out', async () => {
    const { sandbox, browser } = await start()
    const { player, requests } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.addFault({ kind: 'latency', ms: 150, path: '/auth/refresh' })
    sandbox.addFault({ kind: 'drop', when: 'after', path: '/auth/refresh' })
    const call = player.fetchStatus()
    call.catch(() => {})
    await vi.waitFor(() => expect(requests.some(({ url }) => url.endsWith('/auth/refresh'))).toBe(true))
    await player.logout()
    await call.catch(() => {})
    expect(counts(sandbox).logins).toBe(1)
  })
  it('after bfcache: a tab that is shown again sees that it was logged out', async () => {
    const { browser } = await start({}, { broadcast: { post() {}, listen: () => () => {} } })
    const [one, two] = [browser.open(), browser.open()]
    await one.player.login()
    await two.player.login()
    await one.player.logout()
    two.resume()
    await sleep(100)
    expect(two.player.session).toBeNull()
  })
  it('login() after logout() while a refresh hangs is a new login, not the doomed flight', async () => {
    const { sandbox, browser } = await start()
    const { player, requests } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.addFault({ kind: 'latency', ms: 300, path: '/auth/refresh' })
    player.fetchStatus().catch(() => {})
    await vi.waitFor(() => expect(requests.some(({ url }) => url.endsWith('/auth/refresh'))).toBe(true))
    await player.logout()
    await expect(player.login()).resolves.toMatchObject({ offline: false })
  })
  it('login(), logout(), login(): the last one stands', async () => {
    const { sandbox, browser } = await start()
    sandbox.addFault({ kind: 'latency', ms: 150, path: '/auth/login' })
    const { player, requests } = browser.open()
    const first = player.login()
    first.catch(() => {})
    await vi.waitFor(() => expect(requests.length).toBe(1))
    await player.logout()
    await expect(player.login()).resolves.toMatchObject({ offline: false })
  })
  it('an old logout message, heard late by a thawed tab, does not end the new session', async () => {
    const held: (() => void)[] = []
    let frozen = false
    const runs = new Set<(m: string) => void>()
    const broadcast = {
      post(message: string) {
        for (const run of runs) {
          const go = () => run(message)
          frozen ? held.push(go) : setTimeout(go, 0)
        }
      },
      listen(run: (m: string) => void) {
        runs.add(run)
        return () => void runs.delete(run)
      },
    }
    const { sandbox, browser } = await start()
    const one = browser.open()
    const two = browser.open({ platform: { broadcast } as never })
    // one posts into the channel that two hears
    const oneAgain = browser.open({ platform: { broadcast: { post: broadcast.post, listen: () => () => {} } } as never })
    void one
    await oneAgain.player.login()
    await two.player.login()
    frozen = true
    for (const _ of [1, 2]) {
      await oneAgain.player.logout()
      await oneAgain.player.login()
    }
    expect(await tokenKeys(browser.storage)).toHaveLength(1)
    for (const go of held) go()
    await sleep(100)
    expect.soft(await tokenKeys(browser.storage)).toHaveLength(1)
    sandbox.expireAccessTokens()
    await expect.soft(oneAgain.player.fetchStatus()).resolves.toBeDefined()
  })
  it('profile news of another tab do not come back after a logout', async () => {
    const knobs = slow()
    const { browser } = await start({}, { storage: knobs.storage })
    const [one, two] = [browser.open(), browser.open()]
    await one.player.login()
    await two.player.login()
    await one.player.fetchStatus()
    knobs.getMs = 60
    await sleep(5)
    await one.player.fetchStatus()
    await sleep(20)
    await two.player.logout()
    await sleep(200)
    expect([two.player.session, two.player.status]).toEqual([null, null])
  })
  it('login() never resolves with null', async () => {
    const knobs = slow()
    const { browser } = await start({}, { storage: knobs.storage })
    const { player } = browser.open()
    knobs.writeMs = 40
    const login = player.login().then(
      (s) => s,
      (e) => e,
    )
    await vi.waitFor(() => expect(player.session).not.toBeNull())
    player.logout()
    expect(await login).not.toBeNull()
  })
  it('logOut between the last guard and the adoption', async () => {
    const knobs = slow()
    const { browser, sandbox } = await start({}, { storage: knobs.storage })
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    knobs.getMs = 40
    const call = player.fetchStatus()
    call.catch(() => {})
    await vi.waitFor(() => expect(counts(sandbox).refreshes).toBe(1))
    await sleep(100) // the last guard reads the mark
    knobs.getMs = 0
    await player.logout()
    await sleep(200)
    expect(player.session).toBeNull()
  })
})

describe('close', () => {
  it('leaves no timer after a login that would go offline', async () => {
    const { sandbox, browser } = await start()
    const first = browser.open()
    await first.player.login()
    await first.player.close()
    await browser.elapse(2 * HOUR)
    sandbox.addFault({ kind: 'hang', when: 'before' })
    const tab = browser.open()
    tab.player.login().catch(() => {})
    await vi.waitFor(() => expect(tab.requests.length).toBe(1))
    await tab.player.close()
    await sleep(100)
    expect(tab.held()).toEqual({ timers: 0, listeners: 0, requests: 0 })
  })
  it('leaves no timer after a background refresh', async () => {
    const { sandbox, browser } = await start()
    const tab = browser.open()
    await tab.player.login()
    sandbox.addFault({ kind: 'hang', when: 'before', path: '/auth/refresh' })
    await browser.elapse(3595_000)
    await vi.waitFor(() => expect(tab.requests.some(({ url }) => url.endsWith('/auth/refresh'))).toBe(true))
    await tab.player.close()
    await sleep(100)
    expect(tab.held()).toEqual({ timers: 0, listeners: 0, requests: 0 })
  })
  it('leaves no timer after a login from the store', async () => {
    const knobs = slow()
    const { browser } = await start({}, { storage: knobs.storage })
    const first = browser.open()
    await first.player.login()
    await first.player.close()
    knobs.getMs = 40
    const tab = browser.open()
    tab.player.login().catch(() => {})
    await sleep(10)
    await tab.player.close()
    await sleep(200)
    expect(tab.held()).toEqual({ timers: 0, listeners: 0, requests: 0 })
  })
  it('does not erase the stored session', async () => {
    const knobs = slow()
    const { sandbox, browser } = await start({}, { storage: knobs.storage })
    const tab = browser.open()
    await tab.player.login()
    sandbox.expireAccessTokens()
    knobs.writeMs = 400
    tab.player.fetchStatus().catch(() => {})
    await vi.waitFor(() => expect(counts(sandbox).refreshes).toBe(1))
    await sleep(100) // the new tokens are being written
    await tab.player.close()
    await sleep(1500)
    expect(await tokenKeys(knobs.storage)).toHaveLength(1)
  })
  it('leaves no timer when the storage hangs', async () => {
    const knobs = slow()
    knobs.hang = true
    const { browser } = await start({}, { storage: knobs.storage })
    const tab = browser.open()
    tab.player.login().catch(() => {})
    await sleep(10)
    await tab.player.close()
    expect(tab.held()).toEqual({ timers: 0, listeners: 0, requests: 0 })
  })
})

describe('others', () => {
  it('a storage that fails mid-session, after a logout some time ago, does not log the player out', async () => {
    const knobs = slow()
    const { sandbox, browser } = await start({}, { storage: knobs.storage })
    const { player } = browser.open()
    await player.login()
    await player.logout()
    await player.login()
    knobs.broken = true
    sandbox.expireAccessTokens()
    expect((await player.fetchStatus()).isPayer).toBeDefined()
  })
  it('a store cleared by the browser, after a logout some time ago, does not log the player out', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    await player.logout()
    await player.login()
    await browser.storage.write({ delete: await browser.storage.keys('') })
    sandbox.expireAccessTokens()
    expect((await player.fetchStatus()).isPayer).toBeDefined()
  })
  it('logout with an endpoint is bounded by 5 s, even when the token has to be renewed for it', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ logoutEndpoint: { method: 'POST', path: '/auth/logout' }, timeoutMs: 9000 })
    await player.login()
    await browser.elapse(40_000)
    browser.clockOffsetMs = 2 * HOUR // asleep: no timer ran
    sandbox.addFault({ kind: 'hang', when: 'before', path: '/auth' })
    const began = Date.now()
    await player.logout()
    expect(Date.now() - began).toBeLessThan(6000)
  }, 60_000)
  it('a logout call that the service refuses is told', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open({ logoutEndpoint: { method: 'POST', path: '/auth/logout' } })
    const errors: unknown[] = []
    player.on('error', (e) => errors.push(e))
    await player.login()
    sandbox.addFault({ kind: 'status', status: 500, path: '/auth/logout' })
    await player.logout()
    expect(errors).toHaveLength(1)
  })
  it('an own signer whose fetch fails offline: a kept session still starts', async () => {
    const { browser } = await start()
    const first = browser.open()
    await first.player.login()
    await first.player.close()
    browser.online = false
    await browser.elapse(2 * HOUR)
    const { player } = browser.open({
      signer: async () => {
        throw new TypeError('Failed to fetch')
      },
    })
    await expect(player.login()).resolves.toMatchObject({ offline: true })
  })
  it('a refresh reply with expiresIn null makes no storm', async () => {
    const { sandbox, browser } = await start()
    const { player, requests } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.addFault({ kind: 'status', status: 200, body: { accessToken: 'x', expiresIn: null }, path: '/auth/refresh' })
    await player.fetchStatus().catch(() => {})
    for (const _ of times(5, () => 0)) await browser.elapse(1000)
    expect(requests.filter(({ url }) => url.includes('/auth/')).length).toBeLessThanOrEqual(4)
  }, 30_000)
  it('a refresh reply with refreshToken null keeps the old one', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.addFault({ kind: 'status', status: 200, body: { accessToken: 'x', refreshToken: null }, path: '/auth/refresh', times: 1 })
    await player.fetchStatus().catch(() => {})
    const [stored] = (await browser.storage.get(await tokenKeys(browser.storage))) as { refreshToken?: string }[]
    expect(stored?.refreshToken).toEqual(expect.any(String))
  })
  it('a refresh reply with half a playerConfig keeps the other half', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    const { store } = player
    sandbox.expireAccessTokens()
    sandbox.addFault({
      kind: 'status',
      status: 200,
      body: { accessToken: 'x', playerConfig: { playerStatus: { isPayer: { value: true } } } },
      path: '/auth/refresh',
      times: 1,
    })
    await player.fetchStatus().catch(() => {})
    await sleep(20)
    expect(player.store).toEqual(store)
  })
  it('Date hidden, the clock jumps by 2 h, a signed login is needed: clock, not http', async () => {
    const { sandbox, browser } = await start(
      {},
      {
        async http(...args: Parameters<typeof fetchHttp>) {
          const r = await fetchHttp(...args)
          delete r.headers.date
          return r
        },
      },
    )
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.revokeRefreshTokens()
    browser.clockOffsetMs = 2 * HOUR
    await expect(player.fetchStatus()).rejects.toMatchObject({ code: 'clock' })
  })
  it('a refusal ends although the clock was set back', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.revokeRefreshTokens()
    const clear = sandbox.addFault({ kind: 'status', status: 401, path: '/auth/login' })
    await player.fetchStatus().catch(() => {})
    clear()
    browser.clockOffsetMs = -24 * HOUR
    await browser.elapse(10 * 60_000)
    await expect(player.fetchStatus()).resolves.toBeDefined()
  })
  it('one refusal is told once', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    const errors: unknown[] = []
    player.on('error', (e) => errors.push(e))
    await player.login()
    sandbox.addFault({ kind: 'status', status: 401, path: '/auth' })
    await browser.elapse(3595_000)
    for (const _ of times(9, () => 0)) await browser.elapse(1000)
    expect({ errors: errors.length, logins: counts(sandbox).failedLogins }).toEqual({ errors: 1, logins: 1 })
  }, 30_000)
  it('junk on the channel harms nobody', async () => {
    const runs: ((m: string) => void)[] = []
    const { browser } = await start(
      {},
      {
        broadcast: {
          post() {},
          listen(run) {
            runs.push(run)
            return () => {}
          },
        },
      },
    )
    await browser.open().player.login()
    for (const junk of ['hello', 'null', '7']) expect.soft(() => runs[0]?.(junk)).not.toThrow()
  })
  it('N tabs: one renewal makes about N messages, not N squared', async () => {
    let posts = 0
    const runs = new Map<object, (m: string) => void>()
    const { sandbox, browser } = await start()
    const tabs = Array.from({ length: 8 }, () => {
      const me = {}
      return browser.open({
        platform: {
          broadcast: {
            post(m: string) {
              posts += 1
              for (const [who, run] of runs) if (who !== me) setTimeout(run, 0, m)
            },
            listen(run: (m: string) => void) {
              runs.set(me, run)
              return () => void runs.delete(me)
            },
          },
        },
      })
    })
    for (const { player } of tabs) await player.login()
    await sleep(50)
    posts = 0
    sandbox.expireAccessTokens()
    await tabs[0]?.player.fetchStatus()
    await sleep(100)
    expect(posts).toBeLessThanOrEqual(2) // 'session' and 'profile'
  })
  it('an access token that cannot be a header does not show in the error', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.addFault({ kind: 'status', status: 200, body: { accessToken: 'canary\ntoken' }, path: '/auth/refresh' })
    const error = await player.fetchStatus().catch((e) => e)
    expect(`${error.message} ${error.cause?.message} ${error.cause?.cause?.message}`).not.toContain('canary')
  })
  it('a refresh that returns a token with an old iat does not move the clock', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    const iat = Math.floor(Date.now() / 1000) - 3000
    const accessToken = `x.${Buffer.from(JSON.stringify({ iat, exp: iat + 3600 })).toString('base64url')}.y`
    sandbox.addFault({ kind: 'status', status: 200, body: { accessToken }, path: '/auth/refresh', times: 1 })
    const before = player.stats().clockOffsetMs
    const offsets: number[] = []
    player.on('session', () => offsets.push(player.stats().clockOffsetMs))
    await player.fetchStatus().catch(() => {})
    expect(
      [before, ...offsets].every((o) => Math.abs(o) < 5000),
      String(offsets),
    ).toBe(true)
  })
  it('idle with a token of 1 s: no request every second for ever', async () => {
    const { sandbox, browser } = await start({ expiresIn: 1 })
    await browser.open().player.login()
    for (const _ of times(6, () => 0)) await browser.elapse(1000)
    expect(counts(sandbox).refreshes).toBeLessThanOrEqual(2)
  }, 20_000)
})

describe('clocks, signers and tokens', () => {
  it('clock jumps after the rest: exactly one refresh', async () => {
    for (const jump of [24 * HOUR, -24 * HOUR]) {
      const { sandbox, browser } = await start()
      const { player } = browser.open()
      await player.login()
      await browser.elapse(31_000)
      browser.clockOffsetMs += jump
      for (const _ of times(20, () => 0)) await player.fetchStatus()
      expect(counts(sandbox)).toMatchObject({ logins: 1, refreshes: 1 })
    }
  })
  it('flapping clock across rests', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    for (const at of times(10, (turn) => turn)) {
      await browser.elapse(31_000)
      browser.clockOffsetMs += at % 2 ? 24 * HOUR : -24 * HOUR
      for (const _ of times(5, () => 0)) await player.fetchStatus()
    }
    expect(counts(sandbox).logins).toBe(1)
    expect(counts(sandbox).refreshes).toBeLessThanOrEqual(10)
  })
  it('hear(logout) does not kill a login that began after it', async () => {
    const { browser } = await start()
    const [one, two] = [browser.open(), browser.open()]
    await one.player.login()
    await two.player.login()
    await one.player.logout()
    // two hears it in a moment; the game calls login() at once
    await expect(two.player.login()).resolves.toMatchObject({ offline: false })
    await sleep(100)
    expect(two.player.session).not.toBeNull()
  })
  it('the error of a signer of the game’s own is one of ours', async () => {
    const { browser } = await start()
    const cause = new TypeError('Failed to fetch')
    const { player } = browser.open({ signer: () => Promise.reject(cause) })
    await expect(player.login()).rejects.toMatchObject({ name: 'PlayerDataError', code: 'network', cause })
  })
  it('a token that is no JWT lives by expiresIn', async () => {
    const { sandbox, browser } = await start()
    const { player } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    sandbox.addFault({ kind: 'status', status: 200, body: { accessToken: 'opaque', expiresIn: 100 }, path: '/auth/refresh', times: 1 })
    await player.fetchStatus().catch(() => {})
    expect(Math.abs((player.session?.expiresAt ?? 0) - Date.now() - 100_000)).toBeLessThan(2000)
  })
  it('a null session after a login refused for iat in ms: timestamps stay well-formed', async () => {
    const { sandbox, browser } = await start({}, {})
    const { player, requests } = browser.open()
    await player.login()
    sandbox.expireAccessTokens()
    const iat = Date.now()
    const accessToken = `x.${Buffer.from(JSON.stringify({ iat, exp: iat + 3600_000 })).toString('base64url')}.y`
    sandbox.addFault({ kind: 'status', status: 200, body: { accessToken }, path: '/auth/refresh', times: 1 })
    sandbox.revokeRefreshTokens()
    await player.fetchStatus().catch(() => {})
    await player.fetchStatus().catch(() => {})
    const logins = requests.filter(({ url }) => url.endsWith('/auth/login')).map(({ body }) => JSON.parse(body ?? '').timestamp)
    for (const t of logins) expect(t).toMatch(/^\d{4}-/)
  })
})
