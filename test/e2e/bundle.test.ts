// The shipped bundle in a real Chromium against the sandbox.

import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as PlayerDataModule from '../../src/index.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { launchChromium } from '../chromium.mjs'
import { type BundleSite, createBundleSite } from '../page.ts'

declare const PlayerData: typeof PlayerDataModule

let browser: Browser
let context: BrowserContext
let site: BundleSite
let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ strict: true })
  browser = await launchChromium()
  context = await browser.newContext()
  site = await createBundleSite()
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await sandbox?.close()
})

describe('the bundle on a page', () => {
  it('logs in, reads status and store, and sends events by the typed client', async () => {
    const page = await site.open(context)
    const seen = await page.evaluate(async (baseUrl) => {
      const player = PlayerData.createPlayerData({
        baseUrl,
        apiKey: 'dev-key',
        signer: PlayerData.developmentSigner({ secret: 'dev-secret' }),
        deviceId: 'device-e2e',
      })
      const session = await player.login()
      const fromLogin = { status: player.status, store: player.store }
      const fetched = { status: await player.fetchStatus(), store: await player.fetchStore() }
      const event = {
        eventType: 'Ad_Impression',
        timestamp: new Date().toISOString(),
        payload: { adId: 'a1' },
        metadata: { osName: 'Linux' },
      }
      const { response } = await player.api.POST('/v1/events', { body: [event] })
      return { session, fromLogin, fetched, eventsOk: response.ok, version: PlayerData.version }
    }, sandbox.url)
    expect(seen.session).toMatchObject({ deviceId: 'device-e2e', userId: expect.stringMatching(/^player-/) })
    expect(seen.session.expiresAt - Date.now()).toBeGreaterThan(3_500_000)
    expect(seen.fetched).toEqual(seen.fromLogin)
    expect(seen.version).toMatch(/^\d+[.]\d+[.]\d+/)
    expect(seen.eventsOk).toBe(true)
    expect(sandbox.events().map(({ event }) => event.payload)).toEqual([{ adId: 'a1' }])
    expect(sandbox.breaches()).toEqual([])
    expect(site.problems).toEqual([])
  })

  it('asks for leave to post once, not with every batch', async () => {
    const fresh = await browser.newContext() // has asked for nothing yet
    const page = await site.open(fresh)
    const before = sandbox.requests().length
    await page.evaluate(async (baseUrl) => {
      const signer = PlayerData.developmentSigner({ secret: 'dev-secret' })
      const player = PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer, deviceId: 'device-preflight' })
      await player.login()
      for (let batch = 0; batch < 4; batch += 1) {
        player.track('Own', { batch })
        await player.flush()
      }
      await player.close()
    }, sandbox.url)
    const methods = sandbox
      .requests()
      .slice(before)
      .filter(({ path }) => path === '/v1/events')
      .map(({ method }) => method)
    expect(methods.filter((method) => method === 'POST')).toHaveLength(4)
    expect(methods.filter((method) => method === 'OPTIONS')).toHaveLength(1)
    await fresh.close()
  })

  it('keeps the device that it made over a reload', async () => {
    const page = await site.open(context)
    const logIn = () =>
      page.evaluate(async (baseUrl) => {
        const signer = PlayerData.developmentSigner({ secret: 'dev-secret' })
        return (await PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer }).login()).deviceId
      }, sandbox.url)
    const first = await logIn()
    await page.reload()
    expect(await logIn()).toBe(first)
  })

  it('adds exactly one global', async () => {
    const page = await site.open(context)
    const added = await page.evaluate(() => {
      const frame = document.body.appendChild(document.createElement('iframe'))
      const own = new Set(Object.getOwnPropertyNames(frame.contentWindow))
      return Object.getOwnPropertyNames(window).filter((name) => !own.has(name) && Number.isNaN(Number(name)))
    })
    expect(added).toEqual(['PlayerData'])
  })

  it('says what to do when nothing answers', async () => {
    const page = await site.open(context)
    const error = await page.evaluate(async () => {
      const signer = PlayerData.developmentSigner({ secret: 'dev-secret' })
      const player = PlayerData.createPlayerData({ baseUrl: 'http://127.0.0.1:1', apiKey: 'dev-key', signer })
      return player.login().catch((error) => ({ code: error.code, message: error.message, known: PlayerData.isPlayerDataError(error) }))
    })
    expect(error).toEqual({ code: 'network', message: expect.stringContaining('http://127.0.0.1:1'), known: true })
  })
})
