// SIGKILL: how many events of a burst, tracked while the server is unreachable, arrive after the whole browser was killed and started
// again on the same profile with the server up.
//
// The kills are made one after the other. The restarts only wait, so several run at once.

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { removeFolder, startBrowser } from './browser.mjs'
import { openPage } from './page.mjs'
import { createServer } from './server.mjs'

export const burst = 1037
const waitMs = 30_000

/** Tracks a burst and kills the browser `delayMs` after the last call. Gives what `measureRestart` goes on with. */
export async function kill(site, row, delayMs) {
  const server = await createServer()
  const profile = await mkdtemp(join(tmpdir(), 'bench-'))
  const browser = await startBrowser(profile)
  try {
    const page = await openPage(browser, site, row)
    await page.start(server.url)
    await page.quiet({ limitMs: 5000 })
    await server.down()
    await page.track('ad-k', burst)
    if (delayMs > 0) await sleep(delayMs)
    return { row, delayMs, server, profile }
  } catch (error) {
    return { row, delayMs, server, profile, note: error.message }
  } finally {
    await browser.kill()
  }
}

/** Starts the killed browser again and counts the events that arrive. One more event is tracked: some rows send only then. */
export async function measureRestart(site, { row, server, profile, note }) {
  if (note) return { note }
  await server.up()
  const browser = await startBrowser(profile)
  try {
    const page = await openPage(browser, site, row)
    const startedAt = Date.now()
    await page.start(server.url)
    await page.track('ad-z', 1)
    const isWhole = await server.waitFor('ad-k', burst, waitMs)
    const elapsedMs = Date.now() - startedAt
    // A second copy would follow soon.
    if (isWhole) await sleep(2000)
    const { distinct, copies } = server.countOf('ad-k')
    return { arrived: distinct, copies, elapsedMs }
  } catch (error) {
    return { note: error.message }
  } finally {
    await browser.kill()
    await server.down()
    await removeFolder(profile)
  }
}
