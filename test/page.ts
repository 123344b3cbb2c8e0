// A page in a real Chromium that has loaded the shipped bundle by a script tag.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'

export interface BundleSite {
  url: string
  /** Opens a tab and waits for the bundle. Tabs of one context share what a browser shares between tabs. */
  open(context: BrowserContext): Promise<Page>
  /** What went wrong on any page: uncaught errors, console errors, refused requests. */
  problems: string[]
  close(): Promise<void>
}

/** Serves the bundle on a page, under the given Content-Security-Policy; `/empty` is a page without it. */
export async function createBundleSite(policy?: string, bundle = 'player-data.js'): Promise<BundleSite> {
  const problems: string[] = []
  const server = createServer((request, response) => {
    if (request.url === '/player-data.js') {
      response.setHeader('content-type', 'text/javascript')
      response.end(readFileSync(new URL(`../dist/${bundle}`, import.meta.url)))
      return
    }
    response.setHeader('content-type', 'text/html')
    if (policy) response.setHeader('content-security-policy', policy)
    const script = request.url === '/empty' ? '' : '<script src="/player-data.js"></script>'
    // Without an icon of its own a page asks for one, and with one a strict policy refuses it.
    const icon = policy ? '' : '<link rel="icon" href="data:,">'
    response.end(`<!doctype html><title>Game</title>${icon}${script}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    problems,
    async open(context) {
      const page = await context.newPage()
      page.on('pageerror', (error) => problems.push(String(error)))
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      await page.goto(url)
      return page
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
