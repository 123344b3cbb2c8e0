// The demo as a visitor meets it: a game in a real Chromium, a real sandbox, and a panel whose sum has to close. Served from a folder of a
// plain static server, as the site is.

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { launchChromium } from '../chromium.mjs'

const root = new URL('../../', import.meta.url)
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Read once, at the start: a build that runs meanwhile takes it away for a moment. */
const bundle = readFileSync(new URL('dist/player-data.js', root))
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }
/** What Chromium itself logs of a request that a fault has hit. */
const FAULTY =
  /^Failed to load resource: (net::ERR_(CONNECTION_RESET|EMPTY_RESPONSE)|the server responded with a status of (401|422|429|503) )/

/** A page that paints without a graphics card, on a machine that has other work to do. */
vi.setConfig({ testTimeout: 60_000 })

let browser: Browser
let server: Server
let address: string
let sandbox: Sandbox
let context: BrowserContext
/** What `sandbox.json` says: where the sandbox is, or null as on a static site. */
let told: string | null
const problems: string[] = []

beforeAll(async () => {
  browser = await launchChromium()
  server = createServer((request, response) => {
    const [, path = ''] = /^[/]some[/]folder[/]([^?]*)/.exec(request.url ?? '') ?? []
    const file = path.startsWith('demo/')
      ? `docs/${path === 'demo/' ? 'demo/index.html' : path}`
      : { 'theme.js': 'docs/site/web/theme.js' }[path]
    if (path === 'sandbox.json') response.end(JSON.stringify({ url: told }))
    else if (path === 'icon.svg')
      response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>')
    else if (path === 'player-data.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(bundle)
    else if (!file) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': `${types[extname(file)]}; charset=utf-8` }).end(readFileSync(new URL(file, root)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/folder/demo/`
})
afterAll(async () => {
  await browser?.close()
  server?.closeAllConnections()
  server?.close()
})

/** A sandbox of its own, and a browser that has never been here. */
async function begin(): Promise<void> {
  sandbox = await createSandbox({ strict: true })
  told = sandbox.url
  // Small: without a graphics card the size of the canvas is what costs.
  context = await browser.newContext({ viewport: { width: 360, height: 600 } })
}

async function end(): Promise<void> {
  await context.close()
  await sandbox.close()
  expect(problems.splice(0)).toEqual([])
  expect(sandbox.breaches()).toEqual([])
}

async function open(): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    const isFault = message.location().url.startsWith(sandbox.url) && FAULTY.test(message.text())
    if (message.type() === 'error' && !isFault) problems.push(`${message.text()} ${message.location().url}`)
  })
  page.on('request', (request) => {
    const isOurs = [address.replace('demo/', ''), sandbox.url].some((start) => request.url().startsWith(start))
    if (!isOurs) problems.push(request.url())
  })
  await page.goto(address)
  await ready(page)
  return page
}

/** The frame of the game that lives now, once it can be played. */
async function ready(page: Page): Promise<Frame> {
  await page.frameLocator('iframe').locator('#play:enabled').waitFor({ state: 'attached' })
  return page.frames().at(-1) as Frame
}

interface Panel {
  tracked: number
  delivered: number
  waiting: number
  dropped: number
  lost: number
  verdict: string
  text: string
  line: string
}

function panel(page: Page): Promise<Panel> {
  return page.evaluate(() => {
    const text = (id: string) => document.getElementById(id)?.textContent ?? ''
    const [tracked, delivered, waiting, dropped, lost] = ['tracked', 'delivered', 'waiting', 'dropped', 'lost'].map((id) =>
      Number(text(id)),
    )
    const verdict = document.getElementById('verdict')?.dataset.verdict
    return { tracked, delivered, waiting, dropped, lost, verdict, text: text('verdict'), line: text('line') } as Panel
  })
}

async function until(page: Page, check: (now: Panel) => void, timeout = 15_000): Promise<Panel> {
  return vi.waitFor(
    async () => {
      const now = await panel(page)
      expect(now.tracked, 'the sum').toBe(now.delivered + now.waiting + now.dropped + now.lost)
      check(now)
      return now
    },
    { timeout, interval: 60 },
  )
}

const closed = (page: Page, check: (now: Panel) => void = () => {}) =>
  until(page, (now) => {
    expect(now, now.text).toMatchObject({ verdict: 'closed' })
    check(now)
  })

/** Plays with mouse and keyboard, well or badly, until so many more events are tracked. Then the game stands still. */
async function play(page: Page, events: number): Promise<number> {
  const game = await ready(page)
  await game.locator('#sky').focus()
  await page.locator('iframe').scrollIntoViewIfNeeded()
  const { x = 0, y = 0 } = (await page.locator('iframe').boundingBox()) ?? {}
  /** The card that covers the game, if any. */
  const card = () => game.evaluate(() => ['ad', 'title', 'paused'].find((id) => document.getElementById(id)?.hidden === false))
  const answers: Record<string, string> = { ad: '#ad-close', title: '#play', paused: '#resume' }
  /** Where another card comes up meanwhile, that one has its turn next. */
  const answer = (covered: string) =>
    game
      .locator(answers[covered] as string)
      .click({ timeout: 1000 })
      .catch(() => {})
  const { tracked } = await panel(page)
  for (let turn = 0; (await panel(page)).tracked < tracked + events; turn += 1) {
    const covered = await card()
    if (covered) await answer(covered)
    if (turn % 2 === 0) await page.mouse.click(x + 40, y + 200)
    else await page.keyboard.press('Space')
  }
  for (let covered = await card(); covered !== 'paused'; covered = await card()) {
    if (covered) await answer(covered)
    else await page.keyboard.press('p')
  }
  return vi.waitFor(async () => {
    const { tracked } = await panel(page)
    const told = await page.evaluate(() =>
      Object.entries(localStorage)
        .filter(([name]) => /^comet-post .*[^y]$/.test(name))
        .map(([, text]) => JSON.parse(text).tracked as number),
    )
    expect(told).toContain(tracked)
    return tracked
  })
}

/** Waits until the game knows that all it has tracked is stored. */
function stored(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        window.addEventListener('message', function hear({ data }) {
          if (data.kind !== 'report' || data.report.stored !== data.report.tracked) return
          window.removeEventListener('message', hear)
          resolve()
        })
      }),
  )
}

const numbers = () => sandbox.events().map(({ event }) => Number((event.payload as { n: number }).n))
const inOrder = (list: number[]) => [...list].sort((one, other) => one - other)
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const turn = (page: Page, id: string) => page.click(`#switch-${id}`)
const sendNow = (page: Page) => page.click('#flush')
const badges = (page: Page) => page.locator('#log b').allTextContents()

describe('the demo', () => {
  beforeEach(begin)
  afterEach(end)

  it('play, offline, play on, kill the tab, close the page, come back, online: the sum closes, and every event arrived once', async () => {
    const first = await open()
    await play(first, 6)
    await sendNow(first)
    const early = await closed(first, ({ waiting, delivered }) => expect([waiting, delivered > 5]).toEqual([0, true]))
    expect(numbers()).toEqual(upTo(early.tracked))

    await turn(first, 'offline')
    await vi.waitFor(() => expect(sandbox.faults()).toHaveLength(1))
    const offline = await play(first, 8)
    await closed(first, ({ waiting }) => expect(waiting).toBe(offline - early.tracked))

    await stored(first)
    await first.click('#kill')
    const dead = await until(first, ({ text }) => expect(text).toMatch(/Nobody is there to send/))
    expect(dead).toMatchObject({ tracked: offline, waiting: offline - early.tracked })
    expect(await first.locator('iframe').count()).toBe(0)

    await first.click('#reopen')
    await closed(first, ({ tracked, waiting }) => expect([tracked > offline, waiting]).toEqual([true, tracked - early.tracked]))
    const more = await play(first, 3)
    await first.close()
    expect(numbers()).toEqual(upTo(early.tracked))

    const second = await open()
    await closed(second, ({ tracked, waiting }) => expect([tracked > more, waiting]).toEqual([true, tracked - early.tracked]))
    expect(await second.getAttribute('#switch-offline', 'aria-checked')).toBe('true')
    await turn(second, 'offline')
    const last = await closed(second, ({ waiting }) => expect(waiting).toBe(0))
    expect(last).toMatchObject({ delivered: last.tracked, dropped: 0, lost: 0 })
    expect(inOrder(numbers())).toEqual(upTo(last.tracked))
    expect(sandbox.stats().duplicates).toBe(0)
  })
})

describe('the keyboard', () => {
  beforeEach(begin)
  afterEach(end)

  it('plays at once, and goes back to the game after a switch was clicked', async () => {
    const page = await open()
    const { tracked } = await panel(page)
    await page.keyboard.press('Space')
    await until(page, (now) => expect(now.tracked).toBeGreaterThan(tracked))
    const offline = page.getByRole('switch', { name: /Offline/ })
    await offline.click()
    await vi.waitFor(() => expect(sandbox.faults()).toHaveLength(1))
    await page.keyboard.press('Space')
    await page.keyboard.press('Space')
    expect(await offline.getAttribute('aria-checked')).toBe('true')
    expect(sandbox.faults()).toHaveLength(1)
  })

  it('stays with whoever works the panel by it', async () => {
    const page = await open()
    const offline = page.getByRole('switch', { name: /Offline/ })
    await offline.focus()
    await page.keyboard.press('Space')
    await vi.waitFor(() => expect(sandbox.faults()).toHaveLength(1))
    await page.keyboard.press('Space')
    await vi.waitFor(() => expect(sandbox.faults()).toHaveLength(0))
    expect(await offline.evaluate((button) => document.activeElement === button)).toBe(true)
  })
})

describe('a killed tab', () => {
  beforeEach(begin)
  afterEach(end)

  it('that had just tracked something: it is shown as lost, and the sum closes all the same', async () => {
    const page = await open()
    await stored(page)
    // In one task: no time to store anything, and nothing tells the page that it goes.
    await page.evaluate(() => {
      document.querySelector('iframe')?.contentDocument?.getElementById('store-open')?.click()
      document.getElementById('kill')?.click()
    })
    await until(page, ({ text }) => expect(text).toMatch(/1 on the disk, and perhaps 1 more/))
    await page.click('#reopen')
    await closed(page, ({ lost }) => expect(lost).toBe(1))
    await sendNow(page)
    const { tracked } = await closed(page, ({ waiting }) => expect(waiting).toBe(0))
    expect(inOrder(numbers())).toEqual(upTo(tracked).filter((number) => number !== 2))
  })
})

describe('a switch does what it says, and the game recovers', () => {
  let page: Page

  // One game for all of them, which plays itself: what one switch has left behind would show at the next.
  beforeAll(async () => {
    await begin()
    page = await open()
    await page.click('#autopilot')
  })
  afterAll(end)

  /** Something waits, and is being sent. */
  async function send(): Promise<void> {
    await until(page, ({ waiting }) => expect(waiting).toBeGreaterThan(0))
    await sendNow(page)
  }

  /** All that has been tracked until now arrives. */
  async function recovers(): Promise<void> {
    const { tracked } = await panel(page)
    await sendNow(page)
    await closed(page, ({ delivered, dropped }) => expect(delivered + dropped).toBeGreaterThanOrEqual(tracked))
  }

  /** Sends until the service has what is looked for. */
  async function arrives(check: () => void): Promise<void> {
    await vi.waitFor(
      async () => {
        await sendNow(page)
        check()
      },
      { timeout: 15_000, interval: 200 },
    )
  }

  it.each([
    { id: 'offline', fault: { kind: 'drop', when: 'before' }, badge: 'no reply', line: /^No reply came/ },
    { id: 'down', fault: { kind: 'status', status: 503 }, badge: '503', line: /^503: kept/ },
    { id: 'portal', fault: { kind: 'portal' }, badge: '200', line: /that is no receipt/ },
    { id: 'busy', fault: { kind: 'status', status: 429, headers: { 'Retry-After': '3' } }, badge: '429', line: /^429, Retry-After: 3/ },
  ])('$id: all is kept', async ({ id, fault, badge, line }) => {
    await turn(page, id)
    await vi.waitFor(() => expect(sandbox.faults()).toMatchObject([{ fault }]))
    const { received } = sandbox.stats()
    await send()
    const kept = await closed(page, (now) => expect(now.line).toMatch(line))
    expect(kept.waiting).toBeGreaterThan(0)
    expect(await badges(page)).toContain(badge)
    expect(sandbox.stats().received).toBe(received)
    await turn(page, id)
    await vi.waitFor(() => expect(sandbox.faults()).toEqual([]))
    await recovers()
  })

  it('slow: events are delivered when the receipt is there, no sooner', async () => {
    await turn(page, 'slow')
    await vi.waitFor(() => expect(sandbox.faults()).toMatchObject([{ fault: { kind: 'latency', ms: 2000 } }]))
    const { delivered } = await closed(page)
    await send()
    expect(await closed(page)).toMatchObject({ delivered })
    await closed(page, (now) => expect([now.delivered > delivered, now.line]).toEqual([true, expect.stringMatching(/^A slow receipt/)]))
    await turn(page, 'slow')
    await vi.waitFor(() => expect(sandbox.faults()).toEqual([]))
    await recovers()
  })

  it('refuse: the bad events are dropped and told, the others arrive', async () => {
    await turn(page, 'refuse')
    await vi.waitFor(() => expect(sandbox.faults()).toMatchObject([{ fault: { kind: 'reject-events', match: { eventType: 'Miss' } } }]))
    const game = await ready(page)
    await vi.waitFor(
      async () => {
        await game.locator('#sky').focus()
        await page.keyboard.press('Space')
        await sendNow(page)
        expect((await panel(page)).dropped).toBeGreaterThan(0)
      },
      { timeout: 15_000, interval: 250 },
    )
    await until(page, ({ line }) => expect(line).toMatch(/^422: the batch is halved/))
    expect(await page.locator('#log').textContent()).toMatch(/[1-9] dropped: rejected/)
    await turn(page, 'refuse')
    await vi.waitFor(() => expect(sandbox.faults()).toEqual([]))
    await recovers()
  })

  it('clock: events carry the service’s time', async () => {
    const ahead = () => Date.parse(sandbox.events().at(-1)?.event.timestamp ?? '') - Date.now()
    await turn(page, 'clock')
    await vi.waitFor(() => expect(sandbox.settings.clockOffsetMs).toBe(7_200_000))
    await send()
    await until(page, ({ line }) => expect(line).toMatch(/^The runtime has read the difference/))
    await vi.waitFor(async () => expect(await page.locator('#facts').textContent()).toContain('clock put right by 120 min'))
    await arrives(() => expect(ahead()).toBeGreaterThan(7_100_000))
    await turn(page, 'clock')
    await vi.waitFor(() => expect(sandbox.settings.clockOffsetMs).toBe(0))
    await arrives(() => expect(ahead()).toBeLessThan(100_000))
    await recovers()
  })

  it.each([
    { id: 'expire', operation: 'authRefresh', line: /^401: the token is renewed once/ },
    { id: 'revoke', operation: 'authLogin', line: /^401, and the refresh is refused/ },
  ])('$id: renewed once, and sent again', async ({ id, operation, line }) => {
    const succeeded = () => sandbox.stats().operations[operation]?.succeeded ?? 0
    const before = succeeded()
    await page.click(`#act-${id}`)
    await send()
    await until(page, (now) => expect(now.line).toMatch(line))
    await recovers()
    expect(succeeded()).toBe(before + 1)
  })

  it('close, open again: the new tab has what the old one left', async () => {
    await turn(page, 'offline')
    const { delivered } = await closed(page, ({ waiting }) => expect(waiting).toBeGreaterThan(1))
    await page.click('#close')
    await until(page, ({ text }) => expect(text).toMatch(/^Nobody is there/))
    await ready(page)
    await closed(page, (now) => expect(now).toMatchObject({ delivered, waiting: now.tracked - delivered - now.dropped }))
    await turn(page, 'offline')
    await recovers()
  })

  it('after all of that, every event is there once, but for those that were dropped', async () => {
    await page.click('#autopilot')
    await play(page, 1)
    await sendNow(page)
    const { tracked, delivered, dropped, lost } = await closed(page, ({ waiting }) => expect(waiting).toBe(0))
    expect([delivered, lost]).toEqual([tracked - dropped, 0])
    expect(new Set(numbers()).size).toBe(delivered)
    expect(sandbox.stats()).toMatchObject({ received: delivered, duplicates: 0 })
  })

  it('another player: other books, another store', async () => {
    await page.click('#another')
    await closed(page, ({ tracked }) => expect([1, 2]).toContain(tracked))
    await sendNow(page)
    await vi.waitFor(() => expect(Object.keys(sandbox.stats().players)).toHaveLength(2), { timeout: 5000 })
  })
})

describe('the page', () => {
  beforeEach(begin)
  afterEach(end)

  it('without a sandbox: the game plays, its events wait, and a line says how to start one', async () => {
    told = null
    const page = await open()
    expect((await panel(page)).line).toContain('npm start')
    expect(await page.locator('#switches button:disabled').count()).toBeGreaterThan(6)
    await play(page, 4)
    await closed(page, ({ waiting, tracked }) => expect([waiting > 4, waiting]).toEqual([true, tracked]))
    expect(sandbox.stats().requests).toBe(0)
  })

  it('open twice: each has books of its own', async () => {
    const [one, other] = [await open(), await open()]
    for (const page of [one, other]) {
      await sendNow(page)
      expect(await closed(page, ({ waiting }) => expect(waiting).toBe(0))).toMatchObject({ tracked: 1, delivered: 1 })
    }
    expect(Object.keys(sandbox.stats().players)).toHaveLength(2)
  })

  it('shows what this player pays, tracks a click on it, and axe-core finds nothing serious, light or dark', async () => {
    const page = await open()
    const game = await ready(page)
    await turn(page, 'slow')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await serious(page.mainFrame())
    }
    await serious(game)
    await turn(page, 'slow')
    await game.locator('#who', { hasText: 'player-' }).waitFor()
    await game.locator('#store-open').click()
    expect(await game.locator('#skus strong').count()).toBeGreaterThan(0)
    await game.locator('#skus button').first().click()
    await serious(game)
    await sendNow(page)
    await closed(page, ({ waiting }) => expect(waiting).toBe(0))
    expect(sandbox.events().map(({ event }) => event.eventType)).toEqual(['Game_Start', 'Store_Opened', 'Purchase_Clicked'])
    await page.click('#kill')
    await serious(page.mainFrame())
  })
})

async function serious(frame: Frame): Promise<void> {
  await frame.evaluate(`${axe};0`)
  const found = await frame.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run({ iframes: false })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  })
  expect(found).toEqual([])
}
