// The session in a real Chromium: tabs, locks, messages, clocks, policies and redirects as they are there.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type * as PlayerDataModule from '../../src/index.ts'
import { createSigningHandler, toNodeListener } from '../../src/signing/index.ts'
import { type BundleSite, createBundleSite } from '../page.ts'
import { context, rendererOf, sandbox, site, usePages } from '../pages.ts'
import { counts, times } from '../session/start.ts'

declare const PlayerData: typeof PlayerDataModule
declare const window: { player: PlayerDataModule.PlayerData; offset: number }

usePages({ args: ['--host-resolver-rules=MAP game.example.com 127.0.0.1'] })

/** Opens a tab with a player in `window.player`, whose clock is `window.offset` ahead. */
async function openTab(from: BundleSite = site, baseUrl = sandbox.url): Promise<Page> {
  const page = await from.open(context)
  await page.evaluate((baseUrl) => {
    window.offset = 0
    window.player = PlayerData.createPlayerData({
      baseUrl,
      apiKey: 'dev-key',
      signer: PlayerData.developmentSigner({ secret: 'dev-secret' }),
      platform: { now: () => Date.now() + window.offset },
    })
  }, baseUrl)
  return page
}

const logIn = (page: Page) => page.evaluate(() => window.player.login())
const fetchStatus = (page: Page) => page.evaluate(() => window.player.fetchStatus())
/** The error that a call ends with. */
const failure = (page: Page, call: 'login' | 'fetchStatus') =>
  page.evaluate(
    (call) =>
      window.player[call]().then(
        () => undefined,
        ({ code, message, status }: PlayerDataModule.PlayerDataError) => ({ code, message, status }),
      ),
    call,
  )

describe('tabs of a real browser', () => {
  it('5 started at once with nothing stored: one device, one login, no error', async () => {
    const tabs = await Promise.all(times(5, () => openTab()))
    const sessions = await Promise.all(tabs.map(logIn))
    expect(new Set(sessions.map(({ deviceId }) => deviceId)).size).toBe(1)
    expect(counts(sandbox)).toEqual({ logins: 1, failedLogins: 0, refreshes: 0, failedRefreshes: 0 })
  })

  it('2 when the token expires: one refresh', async () => {
    sandbox.configure({ expiresIn: 2 })
    const tabs = await Promise.all(times(2, () => openTab()))
    for (const tab of tabs) await logIn(tab)
    const logins = counts(sandbox)
    await new Promise((resolve) => setTimeout(resolve, 2100))
    await Promise.all(tabs.map(fetchStatus))
    expect(counts(sandbox).refreshes - logins.refreshes).toBe(1)
    expect(counts(sandbox)).toMatchObject({ logins: 1, failedRefreshes: 0 })
  })

  it('2 when the service ends the token: one refresh', async () => {
    const tabs = await Promise.all(times(2, () => openTab()))
    for (const tab of tabs) await logIn(tab)
    sandbox.expireAccessTokens()
    await Promise.all(tabs.map(fetchStatus))
    expect(counts(sandbox)).toMatchObject({ logins: 1, refreshes: 1 })
  })

  it('logout in one ends the session in the other, and a refresh under way does not bring it back', async () => {
    const [one, two] = (await Promise.all(times(2, () => openTab()))) as [Page, Page]
    await logIn(one)
    await logIn(two)
    sandbox.expireAccessTokens()
    const hang = sandbox.addFault({ kind: 'hang', when: 'after', path: '/auth/refresh' })
    const call = failure(two, 'fetchStatus')
    await vi.waitFor(() => expect(sandbox.faults()[0]?.applied).toBe(1), { timeout: 5000 })
    await one.evaluate(() => window.player.logout())
    await vi.waitFor(async () => expect(await two.evaluate(() => window.player.session)).toBeNull(), { timeout: 5000 })
    hang()
    expect(await call).toMatchObject({ code: 'auth' })
    expect(await two.evaluate(() => window.player.session)).toBeNull()
    const third = await openTab()
    await logIn(third)
    expect(counts(sandbox).logins).toBe(2)
  })

  it('a frozen one that holds the lock keeps the other waiting no longer than the bound', async () => {
    const frozen = await openTab()
    await logIn(frozen)
    const awake = await openTab()
    await logIn(awake)
    const pid = await rendererOf(frozen)
    expect(await rendererOf(awake)).not.toBe(pid)
    sandbox.expireAccessTokens()
    const hang = sandbox.addFault({ kind: 'hang', when: 'after', path: '/auth/refresh', times: 1 })
    const late = frozen.evaluate(() => window.player.fetchStatus())
    await vi.waitFor(() => expect(sandbox.faults()[0]?.applied).toBe(1), { timeout: 5000 })
    process.kill(pid, 'SIGSTOP')
    try {
      const began = Date.now()
      await fetchStatus(awake)
      expect(Date.now() - began).toBeLessThan(10_000)
      expect(counts(sandbox).logins).toBe(2)
    } finally {
      process.kill(pid, 'SIGCONT')
      hang()
    }
    // Awake again, it takes over what the other has done.
    expect((await late).isPayer).toBeDefined()
    expect(await frozen.evaluate(() => window.player.session)).toEqual(await awake.evaluate(() => window.player.session))
    expect(counts(sandbox).logins).toBe(2)
  })
})

describe('in a real browser', () => {
  it("tokens: 'session' outlive a reload, but are not seen in another tab", async () => {
    const [one, two] = (await Promise.all(times(2, () => site.open(context)))) as [Page, Page]
    const logInWithin = (page: Page) =>
      page.evaluate(async (baseUrl) => {
        const signer = PlayerData.developmentSigner({ secret: 'dev-secret' })
        const player = PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer, tokens: 'session' })
        await player.login()
        await player.close()
        return Object.values(sessionStorage).join().includes('refreshToken')
      }, sandbox.url)
    expect(await logInWithin(one)).toBe(true)
    await one.reload()
    await logInWithin(one)
    expect(counts(sandbox).logins).toBe(1)
    await logInWithin(two)
    expect(counts(sandbox).logins).toBe(2)
  })

  it('close() lets go of the lock it holds and of the one it waits for', async () => {
    const [holding, waiting] = (await Promise.all(times(2, () => openTab()))) as [Page, Page]
    for (const tab of [holding, waiting]) await logIn(tab)
    sandbox.expireAccessTokens()
    sandbox.addFault({ kind: 'hang', when: 'before', path: '/auth/refresh' })
    const calls = [failure(holding, 'fetchStatus'), failure(waiting, 'fetchStatus')]
    const locks = () => holding.evaluate(async () => JSON.stringify(await navigator.locks.query()))
    await vi.waitFor(async () => expect(await locks()).toMatch(/"held":\[{.*"pending":\[{/), { timeout: 4000 })
    for (const tab of [holding, waiting]) await tab.evaluate(() => window.player.close())
    // The other tab is another process: what it has let go of is seen here a moment later.
    await vi.waitFor(async () => expect(await locks()).toBe('{"held":[],"pending":[]}'))
    for (const call of calls) expect(await call).toMatchObject({ code: 'closed' })
  })
})

describe('a wrong clock in a real browser', () => {
  it.each([2, -2, 240])('of %i hours: logs in where Date is exposed, and 20 calls make no refresh', async (hours) => {
    const page = await openTab()
    await page.evaluate((ms) => {
      window.offset = ms
    }, hours * 3_600_000)
    await logIn(page)
    await page.evaluate(async () => {
      for (let call = 0; call < 20; call += 1) await window.player.fetchStatus()
    })
    expect(counts(sandbox)).toEqual({ logins: 1, failedLogins: 1, refreshes: 0, failedRefreshes: 0 })
  })

  it('does no harm with a remote signer on another origin, even where CORS hides Date', async () => {
    sandbox.configure({ dateExposed: false })
    const handler = createSigningHandler({
      keys: { 'dev-key': 'dev-secret' },
      authorize: (request) => request.headers.get('authorization') === 'Bearer own-login',
      origins: [site.url],
    })
    const server = createServer(toNodeListener(handler))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign`
    const page = await site.open(context)
    const userId = await page.evaluate(
      async ([baseUrl, url]) => {
        const signer = PlayerData.remoteSigner({ url, headers: () => ({ authorization: 'Bearer own-login' }) })
        const now = () => Date.now() + 7_200_000
        const player = PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer, platform: { now } })
        const session = await player.login()
        for (let call = 0; call < 20; call += 1) await player.fetchStatus()
        return session.userId
      },
      [sandbox.url, url] as const,
    )
    server.closeAllConnections()
    server.close()
    expect(userId).toMatch(/^player-/)
    expect(counts(sandbox)).toEqual({ logins: 1, failedLogins: 0, refreshes: 0, failedRefreshes: 0 })
  })

  it('is a clock error where CORS hides Date', async () => {
    sandbox.configure({ dateExposed: false })
    const page = await openTab()
    await page.evaluate(() => {
      window.offset = 7_200_000
    })
    expect(await failure(page, 'login')).toMatchObject({ code: 'clock' })
    expect(counts(sandbox)).toMatchObject({ logins: 0, failedLogins: 1 })
  })
})

describe('a strict page', () => {
  it('with default-src none everything works, and no violation is reported', async () => {
    const strict = await createBundleSite(`default-src 'none'; script-src 'self'; connect-src ${sandbox.url}`)
    await context.addInitScript(() => {
      const seen: string[] = []
      Object.assign(globalThis, { violations: seen })
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        seen.push(`${violatedDirective} ${blockedURI}`),
      )
    })
    try {
      const page = await openTab(strict)
      await logIn(page)
      sandbox.expireAccessTokens()
      await fetchStatus(page)
      await page.evaluate(() => window.player.track('Own', { a: 1 }))
      await page.evaluate(() => window.player.flush())
      await page.evaluate(() => window.player.logout())
      await page.evaluate(() => window.player.close())
      expect(sandbox.events()).toHaveLength(1)
      expect(await page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations)).toEqual([])
      expect(strict.problems.filter((problem) => !problem.includes('401'))).toEqual([])
    } finally {
      await strict.close()
    }
  })

  it('finds every host global as it was', async () => {
    const page = await context.newPage()
    await page.goto(`${site.url}/empty`)
    const changed = await page.evaluate(async () => {
      const snapshot = () =>
        new Map(Object.getOwnPropertyNames(globalThis).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)?.value]))
      const before = snapshot()
      const script = document.createElement('script')
      script.src = '/player-data.js'
      await new Promise((resolve) => {
        script.onload = resolve
        document.head.append(script)
      })
      return [...snapshot()].filter(([name, value]) => !before.has(name) || !Object.is(before.get(name), value)).map(([name]) => name)
    })
    expect(changed).toEqual(['PlayerData'])
  })
})

describe('a public page without TLS', () => {
  const publicUrl = () => site.url.replace('127.0.0.1', 'game.example.com')

  it('refuses the development signer before any request', async () => {
    const page = await context.newPage()
    await page.goto(publicUrl())
    const error = await page.evaluate(async (baseUrl) => {
      const signer = PlayerData.developmentSigner({ secret: 'dev-secret' })
      return PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer })
        .login()
        .catch(({ code, message }) => ({ code, message }))
    }, sandbox.url)
    expect(error).toEqual({ code: 'config', message: expect.stringContaining('game.example.com is public') })
    expect(sandbox.requests()).toEqual([])
  })

  it('has neither WebCrypto nor Web Locks, and everything works', async () => {
    const page = await context.newPage()
    await page.goto(publicUrl())
    const seen = await page.evaluate(async (baseUrl) => {
      const signer = PlayerData.developmentSigner({ secret: 'dev-secret', anywhere: true })
      const player = PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer })
      const { userId } = await player.login()
      await player.fetchStatus()
      return { userId, lacks: [typeof crypto.subtle, typeof navigator.locks] }
    }, sandbox.url)
    expect(seen).toEqual({ userId: expect.stringMatching(/^player-/), lacks: ['undefined', 'undefined'] })
  })
})

describe('a redirect to another origin', () => {
  let elsewhere: Server
  const seen: string[] = []
  beforeAll(async () => {
    elsewhere = createServer((request, response) => {
      seen.push(`${request.method} ${request.headers.authorization ?? ''}`)
      response.writeHead(200, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
        'content-type': 'application/json',
      })
      response.end('{"isPayer":{}}')
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => elsewhere.close())

  it('is refused, and the token is not seen there', async () => {
    const page = await openTab()
    await logIn(page)
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
    sandbox.addFault({ kind: 'status', status: 307, headers: { Location: location }, path: '/v1' })
    expect(await failure(page, 'fetchStatus')).toMatchObject({ code: 'network' })
    expect(seen).toEqual([])
  })
})
