// The inspector on a page in a real Chromium, under a policy as strict as pages have, over a game that listens to everything. What it
// shows is held against the player and the sandbox.

import { readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { parse } from 'acorn'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type * as PlayerDataModule from '../../src/index.ts'
import type * as InspectorModule from '../../src/inspector/index.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { blocksOf, textOf } from '../blocks.ts'
import { launchChromium } from '../chromium.mjs'

declare const PlayerData: typeof PlayerDataModule
declare const PlayerDataInspector: typeof InspectorModule
declare const axe: { run(context: object, options: object): Promise<{ violations: { id: string; impact: string; nodes: object[] }[] }> }
declare const window: Window &
  typeof globalThis & {
    player: PlayerDataModule.PlayerData
    detach(): void
    /** What reached the game. */
    inputs: string[]
    /** What the page's policy refused. */
    refused: string[]
    statsAt: number[]
    /** What of the page itself was moved; not what is in a shadow root. */
    shifts: string[]
    held(): { listeners: string[]; timers: number }
  }

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src http://127.0.0.1:*"
const GAME = `
  document.body.append(Object.assign(document.createElement('canvas'), { id: 'game', tabIndex: 0, width: 800, height: 600 }))
  window.inputs = []
  for (const type of ['pointerdown', 'pointerup', 'click', 'wheel', 'keydown', 'keyup'])
    addEventListener(type, (event) => inputs.push(type + (event.code ? ' ' + event.code : '')))
  window.refused = []
  document.addEventListener('securitypolicyviolation', (event) => refused.push(event.violatedDirective + ' ' + event.blockedURI))`
/** The page's own rules, which must reach nothing of the overlay. */
const STYLE = `body { margin: 0 } #game { display: block; width: 100vw; height: 100vh; background: orange }
  * { color: red; font-size: 40px; pointer-events: auto } div, section { display: none !important } ::backdrop { background: black }`

const distOf = (name: string) => textOf(`dist/${name}`)

let browser: Browser
let server: Server
let url: string
let sandbox: Sandbox
let context: BrowserContext
const problems: string[] = []
/** What the pages of the guide's blocks are made of, by path. */
const guide = new Map<string, string>()

beforeAll(async () => {
  server = createServer(({ url = '/' }, response) => {
    const send = (type: string, body: string) => response.setHeader('content-type', type).end(body)
    const text = guide.get(url)
    if (text !== undefined) return send(url.endsWith('/') ? 'text/html' : 'text/javascript', text)
    if (url === '/game.js') return send('text/javascript', GAME)
    if (url === '/game.css') return send('text/css', STYLE)
    if (/^\/[\w.-]+[.]m?js$/.test(url)) return send('text/javascript', distOf(url.slice(1)))
    if (url === '/favicon.ico') return response.writeHead(204).end()
    response.setHeader('content-security-policy', POLICY)
    const scripts = ['player-data.js', 'player-data.inspector.js', 'game.js'].map((name) => `<script src="/${name}"></script>`)
    const meta = '<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/game.css">'
    send('text/html', `<!doctype html><html lang="en"><title>Game</title>${meta}<body><main>${scripts.join('')}</main>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  sandbox = await createSandbox({ strict: true })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await sandbox?.close()
  server?.closeAllConnections()
  server?.close()
})
beforeEach(async () => {
  problems.length = 0
  sandbox.reset()
  context = await browser.newContext({ viewport: { width: 900, height: 700 } })
})
afterEach(async () => {
  for (const page of context.pages()) expect(await page.evaluate(() => window.refused)).toEqual([])
  expect(problems).toEqual([])
  await context.close()
  expect(sandbox.breaches()).toEqual([])
})

async function openPage(): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(String(error)))
  // Chromium writes a line for every reply that is an error, and for every lost connection: those are wanted here.
  page.on(
    'console',
    (message) => message.type() === 'error' && !/Failed to load resource/.test(message.text()) && problems.push(message.text()),
  )
  await page.goto(url)
  return page
}

/** A player who is logged in, and the inspector on it. */
async function attach(
  options: InspectorModule.InspectorOptions & { intervalMs?: number; isLoggedIn?: boolean } = { open: true },
): Promise<Page> {
  const page = await openPage()
  const { intervalMs = 600_000, isLoggedIn = true, ...own } = options
  await page.evaluate(
    async ({ baseUrl, intervalMs, isLoggedIn, own }) => {
      const signer = PlayerData.developmentSigner({ secret: 'dev-secret' })
      const deviceId = 'device-under-inspection'
      window.player = PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', deviceId, signer, events: { intervalMs } })
      window.detach = PlayerDataInspector.attach(window.player, own)
      if (isLoggedIn) await window.player.login()
    },
    { baseUrl: sandbox.url, intervalMs, isLoggedIn, own },
  )
  return page
}

const track = (page: Page, count: number, payload: Record<string, unknown> = {}) =>
  page.evaluate(
    ({ count, payload }) => {
      for (let at = 0; at < count; at += 1) window.player.track('Step', { at, ...payload })
    },
    { count, payload },
  )
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const toggle = (page: Page) => page.getByRole('button', { name: /^Player data/ })
/** The value beside a name in a list of pairs or tiles. */
const value = (page: Page, name: string) => page.locator(`dt:text-is("${name}") + dd`).textContent()
const shows = (read: () => Promise<unknown>, expected: unknown) => vi.waitFor(async () => expect(await read()).toEqual(expected), 5000)
const matching = (text: string | RegExp) => expect.stringMatching(text)
const note = (page: Page) => page.getByRole('status').textContent()
const rows = (page: Page) =>
  page
    .locator('.requests tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].slice(1, 3).map(({ textContent }) => textContent)))

describe('what it shows', () => {
  it('the session, with short ids and the time that is left', async () => {
    const page = await attach()
    const session = await page.evaluate(() => window.player.session as PlayerDataModule.Session)
    await shows(() => value(page, 'State'), 'online')
    expect(await value(page, 'Token expires')).toMatch(/^in 59 min \d+ s$/)
    expect(await value(page, 'Player')).toBe(`play…${session.userId.slice(-4)}`)
    expect(await value(page, 'Device')).toBe('devi…tion')
    const before = await value(page, 'Token expires')
    await vi.waitFor(async () => expect(await value(page, 'Token expires')).not.toBe(before), 5000)
    expect(await page.locator('player-data-inspector').evaluate((host) => host.shadowRoot?.textContent)).not.toContain(session.userId)
  })

  it('a service whose clock is two hours ahead', async () => {
    sandbox.configure({ clockOffsetMs: 7_200_000 })
    const page = await attach()
    await shows(() => value(page, 'Clock'), matching(/^device is (2 h 0|1 h 59) min behind$/))
  })

  it('status and store, with actual and offer prices', async () => {
    const page = await attach()
    await tab(page, 'Store')
    const { status, skus } = await page.evaluate(() => ({ status: window.player.status, skus: window.player.store?.activeSkus }))
    await shows(() => value(page, 'isPayer'), `${status?.isPayer.value} default false`)
    const shown = await page
      .locator('tbody tr:visible')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)))
    expect(shown).toEqual(
      skus?.map(({ name, skuId, actualPrice, offerPrice, currency }) => [name + skuId, String(actualPrice), `${offerPrice} ${currency}`]),
    )
    expect(skus?.length).toBeGreaterThan(1)
  })

  it('the buffer as it fills under a 503 and drains, and the requests', async () => {
    const page = await attach()
    const up = sandbox.addFault({ kind: 'status', status: 503, path: '/v1/events' })
    await track(page, 1200)
    await shows(() => value(page, 'Waiting'), matching(/^1\u202f200[\d.]+ KB$/))
    await tab(page, 'Requests')
    await shows(async () => (await rows(page))[0], ['POST /v1/events', '503'])
    expect((await rows(page)).at(-1)).toEqual(['POST /auth/login', '200'])
    const colours = () =>
      page.locator('canvas.plot').evaluate((canvas: HTMLCanvasElement) => {
        const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(0, 0, canvas.width, canvas.height)
        const count = (red: number, green: number, blue: number) => {
          let found = 0
          for (let at = 0; at < data.length; at += 4)
            if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) found += 1
          return found
        }
        return { line: count(0x6c, 0xb6, 0xff) > 20, delivered: count(0x4a, 0xc4, 0x89) > 4 }
      })
    await shows(colours, { line: true, delivered: false })
    up()
    await button(page, 'Flush').click()
    await shows(() => note(page), 'Flushed: 1\u202f200 delivered, 0 waiting.')
    await shows(() => value(page, 'Delivered'), '1\u202f200')
    await shows(() => value(page, 'Waiting'), '00 B')
    await shows(colours, { line: true, delivered: true })
    expect(sandbox.events()).toHaveLength(1200)
    expect(await page.locator('.kept').textContent()).toBe('Kept on disk: survives a killed browser')
  })

  it('a network that is gone: requests without a reply, events resent', async () => {
    const page = await attach()
    await context.setOffline(true)
    await track(page, 3)
    await button(page, 'Flush').click()
    await shows(() => note(page), 'Flushed: 0 delivered, 3 waiting.')
    await tab(page, 'Requests')
    await shows(async () => (await rows(page))[0], ['POST /v1/events', 'no reply'])
    await context.setOffline(false)
    await button(page, 'Flush').click()
    await shows(() => value(page, 'Resent'), '3may be doubled')
    await shows(() => value(page, 'Delivered'), '3')
  })

  it('a session that starts offline, and the badge with it', async () => {
    sandbox.configure({ expiresIn: 1 })
    const page = await attach({ open: false })
    await shows(() => toggle(page).textContent(), matching(/online/))
    await page.waitForTimeout(1100)
    await context.setOffline(true)
    await page.evaluate(() => window.player.login())
    await page.getByRole('button', { name: 'Player data offline 0 waiting' }).waitFor()
    await toggle(page).click()
    await shows(() => value(page, 'State'), matching(/^offline/))
    await shows(() => value(page, 'Token expires'), matching(/ago$/))
  })

  it('what was dropped, why and how much, with payloads as plain text', async () => {
    const page = await attach()
    await track(page, 12, { text: '<img src=x onerror="inputs.push(1)"><b>bold</b>' })
    await page.evaluate(() => window.player.setConsent('denied'))
    await shows(() => value(page, 'Dropped'), '12denied')
    await tab(page, 'Problems')
    await shows(
      () =>
        page
          .locator('.problems .head')
          .evaluateAll((all) => all.map((head) => [...head.children].slice(1).map(({ textContent }) => textContent))),
      [['dropped', 'denied', '12 events']],
    )
    await page.locator('summary').click()
    await shows(() => page.locator('pre').count(), 10)
    expect(await page.locator('pre').first().textContent()).toContain('<img src=x onerror=')
    expect(await page.locator('player-data-inspector img, pre b').count()).toBe(0)
    expect(await page.locator('.problems').textContent()).toContain('2 more are not kept here.')
    await track(page, 1) // and what is open stays open
    await page.waitForTimeout(600)
    expect(await page.locator('details').evaluate((look: HTMLDetailsElement) => look.open)).toBe(true)
    await toggle(page).click()
    await shows(() => toggle(page).textContent(), matching(/online.*0 waiting1 problem$/))
  })

  it('errors that no call received', async () => {
    const page = await attach()
    sandbox.addFault({ kind: 'status', status: 403, path: '/v1/events' })
    await track(page, 1)
    await page.evaluate(() => window.player.flush())
    await tab(page, 'Problems')
    await shows(() => page.locator('.problems .head').first().textContent(), matching(/error(http|auth)/))
  })
})

describe('the buttons', () => {
  it('expire: new tokens now', async () => {
    const page = await attach()
    await button(page, 'Expire').click()
    await shows(() => note(page), matching(/^New tokens; they expire in (59 min 59 s|1 h 0 min)\.$/))
    expect(sandbox.requests().filter(({ method, path }) => method === 'POST' && path === '/auth/refresh')).toHaveLength(1)
  })

  it('expire, refused: says so, and notes it', async () => {
    const page = await attach()
    sandbox.addFault({ kind: 'status', status: 401, path: '/auth' })
    await button(page, 'Expire').click()
    await shows(() => note(page), matching(/^auth: /))
    await tab(page, 'Problems')
    await shows(() => page.locator('.problems .head b').first().textContent(), 'auth')
  })

  it('log out: no session', async () => {
    const page = await attach()
    await button(page, 'Log out').click()
    await shows(() => value(page, 'State'), 'signed out')
    await shows(() => value(page, 'Player'), '–')
    await tab(page, 'Store')
    await page.getByText('No store yet').waitFor()
    expect(await page.evaluate(() => window.player.session)).toBeNull()
  })

  it('copy report: on the clipboard, with nothing secret in it', async () => {
    const page = await openPage()
    await page.close()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const secrets = new Set(['dev-secret', 'eyJ', 'rosebud'])
    context.on('request', (request) => {
      const { signature, refreshToken } = JSON.parse(request.postData() ?? '{}')
      for (const secret of [request.headers().authorization?.replace('Bearer ', ''), signature, refreshToken])
        if (secret) secrets.add(secret)
    })
    const game = await attach()
    await track(game, 2, { word: 'rosebud' })
    await button(game, 'Expire').click()
    await shows(() => note(game), matching(/^New tokens/))
    await button(game, 'Flush').click()
    await shows(() => note(game), matching(/^Flushed/))
    await button(game, 'Copy report').click()
    await shows(() => note(game), 'The report is on the clipboard.')
    const text = await game.evaluate(() => navigator.clipboard.readText())
    const { userId, deviceId } = await game.evaluate(() => window.player.session as PlayerDataModule.Session)
    expect(secrets.size).toBeGreaterThan(5)
    for (const secret of [...secrets, userId, deviceId]) expect(text).not.toContain(secret)
    expect(JSON.parse(text)).toMatchObject({ host: { page: url }, stats: { state: 'online', delivered: 2 }, session: { offline: false } })
  })

  it('copy report where the clipboard is denied: a field to copy from', async () => {
    const page = await attach()
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError'))
    })
    await button(page, 'Copy report').click()
    await shows(() => note(page), matching(/by hand/))
    const field = page.getByRole('textbox', { name: 'The report' })
    expect(JSON.parse(await field.inputValue())).toMatchObject({ stats: { state: 'online' } })
    expect(await field.evaluate((field: HTMLTextAreaElement) => field.selectionEnd - field.selectionStart === field.value.length)).toBe(
      true,
    )
  })
})

describe('the game beneath', () => {
  it('gets all input outside the box and none from within, and keeps its focus', async () => {
    const page = await attach({ open: true })
    await page.locator('#game').focus()
    await page.mouse.click(100, 300)
    await page.keyboard.press('Space')
    const clicked = ['pointerdown', 'pointerup', 'click', 'keydown Space', 'keyup Space']
    expect(await page.evaluate(() => window.inputs.splice(0))).toEqual(clicked)
    await page.keyboard.down('KeyW')
    await button(page, 'Flush').click()
    await tab(page, 'Requests')
    await page.mouse.wheel(0, 40)
    await page.keyboard.up('KeyW')
    expect(await page.evaluate(() => window.inputs.splice(0))).toEqual(['keydown KeyW', 'keyup KeyW'])
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('game')
  })

  it('gets the end of what began in it', async () => {
    const page = await attach()
    await page.mouse.move(100, 300)
    await page.mouse.down()
    const box = await toggle(page).boundingBox()
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10)
    await page.mouse.up()
    expect(await page.evaluate(() => window.inputs)).toContain('pointerup')
  })

  it.each(['canvas', 'html'])('has the overlay above it when its %s is in full screen', async (name) => {
    const page = await attach()
    await page.evaluate((name) => {
      addEventListener('click', () => document.querySelector(name)?.requestFullscreen(), { once: true })
    }, name)
    await page.mouse.click(100, 300)
    await page.waitForFunction(() => document.fullscreenElement)
    const { x, y } = (await page.locator('.box').boundingBox()) as { x: number; y: number }
    const image = await page.screenshot({ clip: { x: x + 150, y: y + 8, width: 2, height: 2 } })
    expect(await colourOf(image)).toEqual([0x12, 0x16, 0x1d])
    // Chromium lets nothing be pressed beside an element that is in full screen.
    if (name === 'html') {
      await button(page, 'Flush').click()
      await shows(() => note(page), matching(/^Flushed/))
    }
    await page.evaluate(() => document.exitFullscreen())
  })

  /** The first pixel of a PNG, by a browser's own reader. */
  async function colourOf(image: Buffer): Promise<number[]> {
    const page = await browser.newPage()
    const colour = await page.evaluate(
      async (source) => {
        const image = Object.assign(new Image(), { src: source })
        await image.decode()
        const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
        context.drawImage(image, 0, 0)
        return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)]
      },
      `data:image/png;base64,${image.toString('base64')}`,
    )
    await page.close()
    return colour
  }

  it('is not moved by it, nor reached by its styles', async () => {
    await context.addInitScript(() => {
      window.shifts = []
      const record = (list: PerformanceObserverEntryList) => {
        for (const { sources } of list.getEntries() as (PerformanceEntry & { sources: { node: Node | null }[] })[])
          for (const { node } of sources) if (node && document.contains(node)) window.shifts.push(node.nodeName)
      }
      new PerformanceObserver(record).observe({ type: 'layout-shift', buffered: true })
    })
    const game = await attach({ open: false })
    await toggle(game).click()
    await track(game, 1)
    await toggle(game).click()
    await toggle(game).click()
    const look = await game.locator('.title').evaluate((title) => {
      const { fontSize, color } = getComputedStyle(title)
      const { offsetWidth, scrollWidth } = document.documentElement
      const cover = document.elementFromPoint(100, 300)?.id
      return { fontSize, color, wide: scrollWidth - offsetWidth, cover, body: document.body.children.length }
    })
    expect(look).toEqual({ fontSize: '12px', color: 'rgb(232, 237, 244)', wide: 0, cover: 'game', body: 2 })
    const backdrop = await game.locator('player-data-inspector').evaluate((host) => getComputedStyle(host, '::backdrop').display)
    expect([backdrop, await game.evaluate(() => window.shifts)]).toEqual(['none', []])
  })
})

describe('by keyboard', () => {
  it('opens, goes through the tabs, and collapses at Escape with the focus kept', async () => {
    const page = await attach({ open: false })
    const focused = () => page.locator('player-data-inspector').evaluate((host) => host.shadowRoot?.activeElement?.textContent ?? '')
    await page.locator('#game').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await toggle(page).getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Session')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('Store')
    await page.keyboard.press('End')
    expect(await focused()).toBe('Problems')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('Session')
    await page.keyboard.press('Tab') // into the page
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Flush')
    await page.keyboard.press('Escape')
    expect(await toggle(page).getAttribute('aria-expanded')).toBe('false')
    expect(await focused()).toMatch(/Player data/)
    expect(await page.evaluate(() => window.inputs.filter((input) => input.startsWith('keydown')))).toEqual(['keydown Tab'])
  })
})

describe('its place', () => {
  const corner = (page: Page) => page.locator('player-data-inspector').first().getAttribute('corner')

  it('is another corner after a drag, and that is no click', async () => {
    const page = await attach({ open: false })
    expect(await corner(page)).toBe('bottom-right')
    const { x, y, width, height } = (await toggle(page).boundingBox()) as { x: number; y: number; width: number; height: number }
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(200, 100, { steps: 5 })
    await page.mouse.up()
    expect(await corner(page)).toBe('top-left')
    expect(await toggle(page).getAttribute('aria-expanded')).toBe('false')
    const box = await toggle(page).boundingBox()
    expect([box?.x, box?.y].map((at) => Math.round(at ?? 0))).toEqual([9, 9])
    await toggle(page).click()
    expect(await toggle(page).getAttribute('aria-expanded')).toBe('true')
    await button(page, 'Move to the next corner').click()
    expect(await corner(page)).toBe('top-right')
  })

  it('is within a screen of 360 by 640, and of 640 by 360', async () => {
    const page = await attach()
    for (const [width, height] of [
      [360, 640],
      [640, 360],
      [320, 480],
    ] as const) {
      await page.setViewportSize({ width, height })
      const box = await page.locator('.box').boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect(box?.y).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
      await button(page, 'Flush').click()
      expect(await page.locator('.body').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    }
  })

  it('is a free corner for a second player, and the same one for the same', async () => {
    const page = await attach({ open: false })
    const corners = await page.evaluate((baseUrl) => {
      const signer = PlayerData.developmentSigner({ secret: 'dev-secret' })
      PlayerDataInspector.attach(PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer, deviceId: 'other' }))
      PlayerDataInspector.attach(window.player)
      return [...document.querySelectorAll('player-data-inspector')].map((host) => host.getAttribute('corner'))
    }, sandbox.url)
    expect(corners.sort()).toEqual(['bottom-left', 'bottom-right'])
  })
})

describe('its cost', () => {
  const countStats = (page: Page) =>
    page.evaluate(() => {
      window.statsAt = []
      const { stats } = window.player
      window.player.stats = () => {
        window.statsAt.push(performance.now())
        return stats()
      }
    })
  const gaps = (page: Page) =>
    page.evaluate(() => window.statsAt.map((at, index) => at - (window.statsAt[index - 1] ?? Number.NEGATIVE_INFINITY)))

  it('is four readings a second at most, however much is clicked and happens', async () => {
    const page = await attach()
    await countStats(page)
    for (let turn = 0; turn < 5; turn += 1) {
      await toggle(page).click()
      await track(page, 50)
      await page.evaluate(() => window.player.flush())
    }
    await page.waitForTimeout(600)
    expect((await gaps(page)).length).toBeGreaterThan(1)
    // A timer may come a fraction of a millisecond early.
    expect(Math.min(...(await gaps(page)))).toBeGreaterThan(248)
  })

  it('is one reading a second as a badge, and none while the page is hidden', async () => {
    const page = await attach({ open: false })
    await countStats(page)
    await page.waitForTimeout(1500)
    expect(Math.min(...(await gaps(page)))).toBeGreaterThan(998)
    const hide = (state: string) =>
      page.evaluate((state) => {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
        window.statsAt = []
      }, state)
    await hide('hidden')
    await page.waitForTimeout(1300)
    expect(await gaps(page)).toEqual([])
    await hide('visible')
    await vi.waitFor(async () => expect((await gaps(page)).length).toBeGreaterThan(0), 3000)
  })
})

describe('the end', () => {
  /** Runs in the page before all scripts: knows what listens and what is timed. */
  function watch(): void {
    const listeners = new Set<string>()
    const timers = new Set<unknown>()
    const { addEventListener, removeEventListener } = EventTarget.prototype
    const nameOf = (target: EventTarget, type: string) =>
      `${target === document ? 'document' : target === window ? 'window' : 'other'} ${type}`
    EventTarget.prototype.addEventListener = function (this: EventTarget, type: string, ...rest: never[]) {
      if (!this || this === window || this === document) listeners.add(nameOf(this ?? window, type))
      return (addEventListener as (...args: unknown[]) => void).call(this ?? window, type, ...rest)
    } as never
    EventTarget.prototype.removeEventListener = function (this: EventTarget, type: string, ...rest: never[]) {
      listeners.delete(nameOf(this ?? window, type))
      return (removeEventListener as (...args: unknown[]) => void).call(this ?? window, type, ...rest)
    } as never
    const { setTimeout, clearTimeout } = window
    window.setTimeout = ((run: () => void, ms: number) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        run()
      }, ms)
      timers.add(timer)
      return timer
    }) as never
    window.clearTimeout = ((timer: number) => {
      timers.delete(timer)
      clearTimeout(timer)
    }) as never
    window.held = () => ({ listeners: [...listeners].sort(), timers: timers.size })
  }
  const stateOf = (page: Page) =>
    page.evaluate(() => ({
      html: document.documentElement.outerHTML,
      names: Object.getOwnPropertyNames(window).sort(),
      sheets: document.adoptedStyleSheets.length,
      ...window.held(),
    }))

  it.each(['detach', 'close'] as const)('by %s leaves the page as it was', async (way) => {
    await context.addInitScript(watch)
    const page = await openPage()
    await page.evaluate(() => {
      window.player = undefined as never
      window.detach = () => {}
    })
    const before = await stateOf(page)
    await page.evaluate((baseUrl) => {
      const signer = PlayerData.developmentSigner({ secret: 'dev-secret' })
      window.player = PlayerData.createPlayerData({ baseUrl, apiKey: 'dev-key', signer })
      window.detach = PlayerDataInspector.attach(window.player, { open: true })
    }, sandbox.url)
    await button(page, 'Expire').click() // refused: nobody is logged in
    await shows(() => note(page), matching(/^auth/))
    expect((await stateOf(page)).html).not.toBe(before.html)
    expect((await stateOf(page)).listeners).toEqual(expect.arrayContaining(['document fullscreenchange', 'document visibilitychange']))
    await page.evaluate(async (way) => {
      if (way === 'detach') window.detach()
      await window.player.close()
      window.detach()
      window.detach()
    }, way)
    await vi.waitFor(async () => expect(await stateOf(page)).toEqual(before), 3000)
  })

  it('adds one global, and nothing before it is attached', async () => {
    const page = await openPage()
    const added = await page.evaluate(() => {
      const frame = document.createElement('iframe')
      document.body.append(frame)
      const own = new Set(Object.getOwnPropertyNames(frame.contentWindow))
      frame.remove()
      return Object.getOwnPropertyNames(window).filter((name) => !own.has(name) && Number.isNaN(Number(name)))
    })
    expect(added.sort()).toEqual(['PlayerData', 'PlayerDataInspector', 'inputs', 'refused'])
    expect(await page.locator('player-data-inspector').count()).toBe(0)
  })
})

describe('for everyone', () => {
  it('axe-core finds nothing serious, collapsed and on every tab', async () => {
    const page = await attach({ open: false })
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
    const found: unknown[] = []
    const check = async (where: string) => {
      await page.waitForTimeout(300)
      const { violations } = await page.evaluate(() => axe.run({ include: [['player-data-inspector']] }, { resultTypes: ['violations'] }))
      found.push(...violations.map(({ id, impact }) => `${where}: ${id} (${impact})`))
    }
    await check('badge')
    await toggle(page).click()
    await track(page, 3, { a: 1 })
    await page.evaluate(() => window.player.setConsent('denied'))
    for (const name of ['Session', 'Store', 'Requests', 'Problems']) {
      await tab(page, name)
      if (name === 'Problems') await page.locator('summary').click()
      await check(name)
    }
    expect(found).toEqual([])
  })
})

describe('docs/inspector.md', () => {
  const blocks = blocksOf('inspector')
  const scriptBlock = blocks.find(({ language }) => language === 'html')
  const npmBlock = blocks.find(({ language }) => language === 'js')
  const codeOf = (block = npmBlock) => (block?.code ?? '').replaceAll('http://127.0.0.1:4010', sandbox.url)

  /** The npm block as a bundler makes it. */
  async function bundled(isDevelopment: boolean): Promise<Map<string, string>> {
    const { outputFiles } = await build({
      stdin: { contents: codeOf(), resolveDir: fileURLToPath(new URL('../../', import.meta.url)) },
      define: { 'import.meta.env.DEV': String(isDevelopment) },
      ...{ bundle: true, minify: true, write: false, splitting: true, format: 'esm', target: 'es2022', outdir: '/' },
    })
    return new Map(outputFiles.map(({ path, text }) => [path.replace(/^.*[\\/]/, ''), text]))
  }

  /** Plays a page without a policy, beside the files, until the badge says that the player is online. */
  async function play(html: string, files: Map<string, string>): Promise<void> {
    for (const [name, text] of files) guide.set(`/guide/${name}`, text)
    guide.set('/guide/', `<!doctype html><link rel="icon" href="data:,"><script>var refused = []</script>${html}`)
    const page = await context.newPage()
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(`${url}/guide/`)
    await page.getByRole('button', { name: /^Player data online/ }).waitFor()
  }

  it('has both blocks', () => expect(blocks.map(({ language }) => language)).toEqual(['html', 'js']))

  it('its script tags work', async () => {
    const names = ['player-data.js', 'player-data.inspector.js']
    await play(codeOf(scriptBlock), new Map(names.map((name) => [name, distOf(name)])))
  })

  it('its import works in a build for development', async () => {
    await play('<script type="module" src="stdin.js"></script>', await bundled(true))
  })

  it('leaves nothing in a build for production', async () => {
    const production = [...(await bundled(false)).values()]
    expect(production).toHaveLength(1)
    expect(production[0]).not.toContain('player-data-inspector')
  })

  it('states the size within a tenth', () => {
    const [, stated = ''] = /It is (\d+) KB compressed/.exec(textOf('docs/inspector.md')) ?? []
    const size = gzipSync(distOf('player-data.inspector.js'), { level: 9 }).length
    expect(Math.abs(size / (Number(stated) * 1000) - 1), `${size} bytes`).toBeLessThan(0.1)
  })

  it('has a picture that is quick to load', () => {
    expect(statSync(new URL('../../docs/pictures/inspector.png', import.meta.url)).size).toBeLessThan(200_000)
  })
})

describe('dist/player-data.inspector.js', () => {
  it('is ES2017, and writes no markup and evaluates nothing', () => {
    const code = distOf('player-data.inspector.js')
    expect(() => parse(code, { ecmaVersion: 2017, sourceType: 'script' })).not.toThrow()
    expect(code).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document[.]write|\beval\b|\bFunction\(/)
  })

  it('does nothing where there is no page', async () => {
    const { attach } = await import(new URL('../../dist/inspector.mjs', import.meta.url).href)
    expect(attach({})()).toBeUndefined()
  })
})
