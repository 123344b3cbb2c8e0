// A real Chromium for a test file: one browser and one site with the bundle for all of its tests, and for each test a sandbox and a context
// of its own, which is what tabs share. The values are there while a test runs.

import type { Browser, BrowserContext, LaunchOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { createSandbox, type Sandbox } from '../src/sandbox/index.ts'
import { launchChromium } from './chromium.mjs'
import { type BundleSite, createBundleSite } from './page.ts'

export let browser: Browser
export let site: BundleSite
export let sandbox: Sandbox
export let context: BrowserContext

/** Call it once, at the top of the file. */
export function usePages(options: LaunchOptions = {}): void {
  beforeAll(async () => {
    browser = await launchChromium(options)
    site = await createBundleSite()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })
  beforeEach(async () => {
    site.problems.length = 0
    sandbox = await createSandbox({ strict: true })
    context = await browser.newContext()
  })
  afterEach(async () => {
    await context.close()
    await sandbox.close()
    expect(sandbox.breaches()).toEqual([])
  })
}

/** The process id of a tab's renderer: the one that works when the tab does. */
export async function rendererOf(page: Page): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const times = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]))
  }
  const before = await times()
  await page.evaluate(() => {
    for (const until = performance.now() + 400; performance.now() < until; );
  })
  const after = [...(await times())].map(([id, time]) => [id, time - (before.get(id) ?? 0)] as const)
  return after.reduce((busiest, each) => (each[1] > busiest[1] ? each : busiest))[0]
}
