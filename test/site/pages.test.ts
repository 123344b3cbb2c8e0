// The site in a real Chromium: in a deep folder of a plain static server, with every other address cut off.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../chromium.mjs'
import { pages, type Served, serveSite, site } from './static.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const guides = pages.filter((page) => !page.includes('/'))
let browser: Browser
let served: Served
let context: BrowserContext | undefined
let problems: string[] = []

beforeAll(async () => {
  served = await serveSite()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await served?.close()
})
afterEach(async () => {
  await context?.close()
  context = undefined
  const seen = problems
  problems = []
  expect(seen).toEqual([])
})

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  context ??= await browser.newContext(options)
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()))
  await page.route(
    (url) => !url.href.startsWith(served.url) && !/^(data|blob|file):/.test(url.href),
    (route) => {
      problems.push(`asked for ${route.request().url()}`)
      return route.abort()
    },
  )
  await page.goto(/^file:/.test(path) ? path : `${served.url}${path}`)
  return page
}

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

describe('the site', () => {
  it('opens at home and leads to a guide', async () => {
    const page = await open('')
    await page.getByRole('link', { name: 'What is guaranteed' }).click()
    expect(await page.locator('h1').textContent()).toBe('Events')
    await page.locator('aside.contents').getByRole('link', { name: 'Settings' }).click()
    expect(page.url()).toBe(`${served.url}events.html#settings`)
    expect(await page.locator('#settings').isVisible()).toBe(true)
  })

  it('has the API reference', async () => {
    const page = await open('api/')
    await page.getByRole('link', { name: 'What is not specified' }).first().waitFor()
    await page.getByRole('link', { name: 'Player Data Runtime', exact: false }).first().click()
    expect(page.url()).toBe(`${served.url}index.html`)
  })

  it('shows files of the repository, and hands them out', async () => {
    const page = await open('contract.html')
    await page.getByRole('link', { name: 'openapi.yaml' }).first().click()
    expect(await page.locator('h1').textContent()).toBe('openapi.yaml')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('openapi.yaml')
  })

  it('says how to get a sandbox where there is none', async () => {
    const page = await open('try.html')
    await page.getByText('npx player-data sandbox').waitFor()
  })

  it('copies code', async () => {
    const page = await open('events.html', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.locator('.copy').first().click()
    await page.getByText('Copied').first().waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      "import { createPlayerData, developmentSigner } from 'player-data",
    )
  })
})

describe('the search', () => {
  it('is driven by the keyboard alone', async () => {
    const page = await open('session.html')
    await page.keyboard.press('/')
    const field = page.getByRole('combobox')
    await field.waitFor()
    await page.keyboard.type('durability')
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('status').textContent()).toMatch(/places? found/)
    expect(await field.getAttribute('aria-expanded')).toBe('true')
    const chosen = () => page.locator('[role=option][aria-selected=true]').getAttribute('id')
    expect([await chosen(), await field.getAttribute('aria-activedescendant')]).toEqual(['found-0', 'found-0'])
    await page.keyboard.press('ArrowDown')
    expect(await chosen()).toBe('found-1')
    await page.keyboard.press('ArrowUp')
    const target = await page.locator('#found-0').getAttribute('href')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${served.url}${target}`)
  })

  it('forgives a slip of the finger, and says when there is nothing', async () => {
    const page = await open('')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.keyboard.type('guarntee')
    await page.getByRole('option', { name: 'guarantee' }).first().waitFor()
    await page.getByRole('combobox').fill('xyzzyplugh')
    await page.getByText('Nothing found').waitFor()
    expect(await page.getByRole('option').count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('combobox').isVisible()).toBe(false)
  })

  it('finds operations of the API, and works in the folders below', async () => {
    const page = await open('files/LICENSE.html')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('store_configs')
    await page.getByRole('option', { name: /^GET [/]v1[/]player[/]store_configs/ }).click()
    await page.waitForURL(`${served.url}api/index.html#/player/getplayerstoreconfig`)
    await page.locator('[id="player/getplayerstoreconfig"]').first().waitFor()
  })

  it('works for pages opened from the disk', async () => {
    const page = await open(new URL('index.html', site).href)
    await page.keyboard.press('/')
    await page.keyboard.type('refresh')
    await page.getByRole('option').first().waitFor()
  })
})

describe('the colours', () => {
  it('are those of the system, until the switch is used, which is remembered', async () => {
    const page = await open('', { colorScheme: 'light' })
    const light = await background(page)
    await page.getByRole('switch', { name: 'Dark colours' }).click()
    const dark = await background(page)
    expect(dark).not.toBe(light)
    await page.goto(`${served.url}events.html`)
    expect(await background(page)).toBe(dark)
    expect(await page.getByRole('switch').getAttribute('aria-checked')).toBe('true')
    await page.getByRole('switch').click()
    expect(await background(page)).toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await background(page)).toBe(dark)
  })
})

describe.each(['light', 'dark'] as const)('for everyone, in %s', { timeout: 60_000 }, (colorScheme) => {
  it.each(['index.html', 'events.html', 'unity.html'])('axe finds nothing serious on %s', async (path) => {
    const page = await open(path, { colorScheme, reducedMotion: 'reduce' })
    expect(await seriousOn(page)).toEqual([])
  })

  it('axe finds nothing serious in the open search and the open menu', async () => {
    const page = await open('events.html', { colorScheme, viewport: { width: 390, height: 800 } })
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await seriousOn(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('token')
    await page.getByRole('option').first().waitFor()
    expect(await seriousOn(page)).toEqual([])
  })
})

async function seriousOn(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run(),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`))
}

interface Violation {
  id: string
  impact: string
  nodes: { target: string[]; failureSummary: string }[]
}

describe('with a keyboard', () => {
  it('the first stop skips to the text', async () => {
    const page = await open('events.html')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the text')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  it('every stop can be seen', async () => {
    const page = await open('index.html')
    for (let stop = 0; stop < 12; stop += 1) {
      await page.keyboard.press('Tab')
      const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle)
      expect(outline).toBe('solid')
    }
  })
})

describe('on a phone', () => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }

  it('every page opens without an error, is no wider than the screen, and has text of 16 px at least', { timeout: 60_000 }, async () => {
    const page = await open('', phone)
    expect(guides.length).toBeGreaterThan(25)
    for (const guide of guides) {
      await page.goto(`${served.url}${guide}`)
      const { width, size } = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        size: Number.parseFloat(getComputedStyle(document.querySelector('main p') ?? document.body).fontSize),
      }))
      expect([guide, width, size >= 16]).toEqual([guide, 360, true])
    }
  })

  it('the menu opens, leads on, and closes by Escape', async () => {
    const page = await open('events.html', phone)
    const menu = page.getByRole('button', { name: 'Menu' })
    const list = page.getByRole('navigation', { name: 'All pages' })
    expect(await list.isVisible()).toBe(false)
    await menu.click()
    expect([await list.isVisible(), await menu.getAttribute('aria-expanded')]).toEqual([true, 'true'])
    await page.keyboard.press('Escape')
    expect(await list.isVisible()).toBe(false)
    await menu.click()
    await list.getByRole('link', { name: 'Signing', exact: true }).click()
    await page.waitForURL(`${served.url}signing.html`)
  })

  it.each([360, 1280])('what is tapped is large enough at %i px', async (width) => {
    const page = await open('events.html', { viewport: { width, height: 800 }, hasTouch: true })
    if (width === 360) await page.getByRole('button', { name: 'Menu' }).click()
    const small = await page.locator('nav a:visible, aside a:visible, button:visible, summary:visible').evaluateAll((all) =>
      all.flatMap((one) => {
        const { width, height } = one.getBoundingClientRect()
        return width < 24 || height < 24 ? [`${one.textContent} ${width} x ${height}`] : []
      }),
    )
    expect(small).toEqual([])
  })
})

describe('without scripts', () => {
  it('all pages are listed and the text is there', async () => {
    const page = await open('events.html', { javaScriptEnabled: false, viewport: { width: 360, height: 740 } })
    expect(await page.getByRole('navigation', { name: 'All pages' }).isVisible()).toBe(true)
    expect(await page.locator('h1').textContent()).toBe('Events')
  })
})
