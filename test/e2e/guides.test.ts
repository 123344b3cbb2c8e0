// The guides in a real Chromium: the page of the quick start, opened as a reader opens it, the policy of the security page, and the
// browser test of the testing page.

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type * as PlayerDataModule from '../../src/index.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { blocksOf, printsOf } from '../blocks.ts'
import { findChromium, launchChromium } from '../chromium.mjs'
import { createBundleSite } from '../page.ts'
import { startProgram } from '../program.ts'

declare const PlayerData: typeof PlayerDataModule

const folder = new URL('../../.cache/guides/', import.meta.url)
let browser: Browser
beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  copyFileSync(new URL('../../dist/player-data.js', import.meta.url), new URL('player-data.js', folder))
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(blocksOf('page'))('$page, block $at, opened from the disk', ({ code }) => {
  let sandbox: Sandbox
  let context: BrowserContext
  const problems: string[] = []
  const file = new URL('game.html', folder)

  async function open(): Promise<Page> {
    const page = await context.newPage()
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(file.href)
    return page
  }
  const says = (page: Page, text: string) => vi.waitFor(async () => expect(await page.textContent('#line')).toBe(text), 10_000)
  /** The same service on the same port: the page finds it where it was. */
  const restart = async () => {
    sandbox = await createSandbox({ port: Number(new URL(sandbox.url).port), strict: true })
  }

  beforeAll(async () => {
    sandbox = await createSandbox({ strict: true })
    context = await browser.newContext()
    writeFileSync(file, code.replaceAll('http://127.0.0.1:4010', sandbox.url))
  })
  afterAll(async () => {
    await context?.close()
    await sandbox?.close()
  })

  it('sends an event, keeps the next ones while the service is gone, and delivers them after a restart', { timeout: 60_000 }, async () => {
    const page = await open()
    await says(page, '0 waiting, 0 delivered')
    await page.click('#ad')
    await says(page, '1 waiting, 0 delivered')
    await says(page, '0 waiting, 1 delivered')
    expect(sandbox.events().map(({ event }) => event.eventType)).toEqual(['Ad_Impression'])

    await sandbox.close()
    await page.click('#ad')
    await page.click('#ad')
    await says(page, '2 waiting, 1 delivered')
    await page.close()
    await restart()
    const again = await open()
    await says(again, '0 waiting, 2 delivered')
    expect(sandbox.stats()).toMatchObject({ received: 2, duplicates: 0 })
    expect(sandbox.breaches()).toEqual([])
    expect(problems).toEqual([])
  })
})

describe.each(blocksOf('csp'))('$page, block $at', ({ code }) => {
  it.each(['player-data.js', 'player-data.web.js'])('is a policy under which %s does all of its work', async (bundle) => {
    const sandbox = await createSandbox({ strict: true })
    const [, policy = ''] = /^Content-Security-Policy: (.*)$/m.exec(code) ?? []
    const allowed = policy.replace('https://api.example.com', sandbox.url)
    expect(allowed).not.toBe(policy)
    const site = await createBundleSite(allowed, bundle)
    const context = await browser.newContext()
    try {
      const page = await site.open(context)
      const { sign } = await import('../../src/signing/index.ts')
      await page.exposeFunction('sign', (apiKey: string, deviceId: string) => sign({ apiKey, deviceId, secret: 'dev-secret' }))
      const done = await page.evaluate(async (baseUrl) => {
        const { sign } = window as unknown as { sign(apiKey: string, deviceId: string): Promise<PlayerDataModule.Signed> }
        const signer: PlayerDataModule.Signer = ({ apiKey, deviceId }) => sign(apiKey, deviceId)
        const player = PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer })
        await player.login()
        await player.fetchStatus()
        player.track('Own')
        const flushed = await player.flush()
        await player.logout()
        await player.close()
        return { flushed, durability: player.stats().durability }
      }, sandbox.url)
      expect(done).toEqual({ flushed: { delivered: 1, remaining: 0 }, durability: 'disk' })
      expect(site.problems).toEqual([])
    } finally {
      await context.close()
      await site.close()
      await sandbox.close()
    }
  })
})

describe.each(blocksOf('playwright'))('$page, block $at', (block) => {
  it('runs', { timeout: 60_000 }, async () => {
    const { executablePath, env } = await findChromium()
    const file = new URL('browser.test.mjs', folder)
    writeFileSync(file, block.code)
    const program = startProgram(process.execPath, [fileURLToPath(file)], {
      env: { ...(env as Record<string, string>), CHROMIUM_PATH: executablePath },
    })
    expect([await program.exit, program.shown.err], program.shown.out).toEqual([0, ''])
    for (const printed of printsOf(block)) expect(program.shown.out).toContain(printed)
  })
})

it('docs/security.md shows how to make the hash of a bundle that a browser then takes', async () => {
  const [block] = blocksOf('plain').filter(({ page, code }) => page === 'docs/security.md' && code.includes('sha384'))
  expect(block).toBeDefined()
  const file = new URL('hash.mjs', folder)
  writeFileSync(file, block?.code ?? '')
  const program = startProgram(process.execPath, [fileURLToPath(file)])
  expect(await program.exit).toBe(0)
  const [, integrity = ''] = /integrity="([^"]+)"/.exec(program.shown.out) ?? []
  const site = await createBundleSite(undefined, 'player-data.web.js')
  const page = await browser.newPage()
  const load = (hash: string) =>
    page.evaluate(
      (integrity) =>
        new Promise<string>((resolve) => {
          const script = document.createElement('script')
          Object.assign(script, { integrity, onload: () => resolve('loaded'), onerror: () => resolve('refused') })
          script.src = '/player-data.js'
          document.head.append(script)
        }),
      hash,
    )
  try {
    await page.goto(`${site.url}/empty`)
    expect(await load(integrity)).toBe('loaded')
    expect(await load(`sha384-${Buffer.alloc(48).toString('base64')}`)).toBe('refused')
  } finally {
    await page.close()
    await site.close()
  }
})
