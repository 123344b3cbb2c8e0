// `npm start` as a person meets it: the addresses it prints, the pages behind them, and Ctrl-C.

import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../chromium.mjs'
import { type Program, startProgram } from '../program.ts'

const script = fileURLToPath(new URL('../../docs/start.mjs', import.meta.url))
let running: Program
let addresses: { home: string; demo: string; reference: string }
let browser: Browser
const problems: string[] = []

const start = (env: Record<string, string>) => startProgram(process.execPath, [script], { env })

async function open(url: string): Promise<Page> {
  const page = await browser.newPage()
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('request', (request) => /^(http:..127[.]0[.]0[.]1|data:|blob:)/.test(request.url()) || problems.push(request.url()))
  await page.goto(url)
  return page
}

beforeAll(async () => {
  running = start({ PORT: '0', SANDBOX_PORT: '0' })
  const [, home = '', demo = '', reference = ''] = await running.printed(
    /Home +(http:\S+)\s+Demo +(http:\S+)\s+API reference +(http:\S+).*Ctrl-C/s,
  )
  addresses = { home, demo, reference }
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  running?.kill()
})

describe('npm start', () => {
  it('opens on the home page, which leads on', async () => {
    const page = await open(addresses.home)
    await page.getByRole('link', { name: 'Generate your own client' }).click()
    expect(await page.locator('h1').textContent()).toBe('The contract')
  })

  it('shows a player who is logged in, with status and store', async () => {
    const page = await open(`${addresses.home}try.html`)
    await page.locator('dd').first().waitFor()
    expect(await page.locator('#session dd').first().textContent()).toMatch(/^player-/)
    expect(await page.locator('#state').textContent()).toMatch(/^A (paying player|player who has not paid yet)$/)
    expect(await page.locator('#store li').count()).toBeGreaterThan(0)
  })

  it('shows different players', async () => {
    const page = await open(`${addresses.home}try.html`)
    const seen = new Set<string>()
    for (let turn = 0; turn < 6; turn += 1) {
      await page.locator('button:enabled#next').waitFor()
      seen.add(`${await page.locator('#state').textContent()}${await page.locator('#store').textContent()}`)
      await page.locator('#next').click()
    }
    expect(seen.size).toBeGreaterThan(3)
  })

  it('has the API reference, whole without internet', async () => {
    const page = await open(addresses.reference)
    await page.getByRole('link', { name: 'What is not specified' }).first().waitFor()
    expect(await page.content()).toContain('Log in with a signature')
    expect(await page.title()).toContain('API reference')
  })

  it.each([
    ['style.css', 'text/css'],
    ['site.js', 'text/javascript'],
    ['icon.svg', 'image/svg+xml'],
    ['sandbox.json', 'application/json'],
    ['files/test/vectors/signatures.json', 'application/json'],
    ['openapi.yaml', 'application/yaml'],
  ])('serves %s as %s', async (file, type) => {
    const response = await fetch(`${addresses.home}${file}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining(type)])
  })

  it('serves nothing from outside the site', async () => {
    for (const path of ['..%2fcli.mjs', '%2e%2e/%2e%2e/package.json', 'nothing.html', '%']) {
      expect((await fetch(`${addresses.home}${path}`)).status, path).toBe(404)
    }
  })

  it('asked no other host for anything, and no console has an error', () => {
    expect(problems).toEqual([])
  })

  it('takes the next port when one is taken, and says so', async () => {
    const { port } = new URL(addresses.home)
    const second = start({ PORT: port, SANDBOX_PORT: '0' })
    await second.printed(/Ctrl-C/)
    second.kill()
    expect(second.shown.out).toContain(`Port ${port} is taken`)
  })

  it('ends at Ctrl-C', async () => {
    running.child.kill('SIGINT')
    expect(await running.exit).toBe(0)
  })
})
