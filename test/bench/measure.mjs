// The measurements: each takes one sample of one row, in a browser and on a profile of its own, and gives plain numbers.
// A row that does not get through in time gives a `note` that says how far it came; what could be measured stands beside it.

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withBrowser } from './browser.mjs'
import { median } from './median.mjs'
import { openPage } from './page.mjs'
import { createServer } from './server.mjs'

export const events = 10_000
export const calls = 200

/** Runs `use` with a fresh browser, the row's page and a server, and leaves nothing behind. */
async function withPage(site, row, use) {
  const server = await createServer()
  try {
    const profile = await mkdtemp(join(tmpdir(), 'bench-'))
    return await withBrowser(profile, async (browser) => {
      const page = await openPage(browser, site, row)
      await page.start(server.url)
      await page.quiet({ limitMs: 5000 })
      return { evaluationUs: page.evaluationUs, ...(await use(page, server, browser)) }
    })
  } catch (error) {
    return { note: error.message }
  } finally {
    await server.down()
  }
}

/** CPU, bytes and requests until 10 000 events are delivered: a hundred every 16 ms, the server up. */
export function measureDelivery(site, row, { limitMs }) {
  return withPage(site, row, async (page, server, browser) => {
    server.reset()
    const startedAt = Date.now()
    const allBefore = await allCpu(browser)
    const before = await page.cpu()
    try {
      await page.track('ad-d', events, { perTick: 100, pauseMs: 16, limitMs })
      let isDone = await server.waitFor('ad-d', events, startedAt + limitMs - Date.now())
      // Who has got half of them through has as long again.
      const isNear = server.countOf('ad-d').distinct > events / 2
      if (!isDone && isNear) isDone = await server.waitFor('ad-d', events, startedAt + 2 * limitMs - Date.now())
      const elapsedMs = Date.now() - startedAt
      const after = await page.quiet({ limitMs: isDone ? 5000 : 1000 })
      const cost = { mainUs: perEvent(after.main - before.main), rendererUs: perEvent(after.renderer - before.renderer) }
      return { ...cost, ...(await rest(isDone)), elapsedMs }
    } catch {
      // A page whose main thread does not answer any more: what its process has burnt is known all the same.
      const { renderers } = await allCpu(browser)
      return { mainUs: perEvent(renderers - allBefore.renderers), ...(await rest(false, ', main thread blocked')) }
    }

    async function rest(isDone, more = '') {
      const { all } = await allCpu(browser)
      const { distinct, copies } = server.countOf('ad-d')
      const note = isDone ? {} : { note: `${distinct} of ${events} in ${Math.round((Date.now() - startedAt) / 1000)} s${more}` }
      return { browserUs: perEvent(all - allBefore.all), ...server.traffic(), delivered: distinct, copies, ...note }
    }
  })
}

const perEvent = (seconds) => (seconds * 1e6) / events

/**
 * CPU of 200 more calls of `track`, and the heap, with so many events waiting and the server down; by level, in one page, so that the
 * code is equally warm at all of them. A row that cannot get to a level is not asked for the next.
 */
export function measureWaiting(site, row, { levels, limitMsOf }) {
  const { warmUp = 200, batches = 1, restMs = 200 } = row
  return withPage(site, row, async (page, server) => {
    await page.track('ad-w', warmUp, { perTick: 100, pauseMs: 16 })
    await server.waitFor('ad-w', warmUp, 5000)
    await page.quiet({ restMs, limitMs: 5000 })
    const nothing = await trackCosts(page, 'ad-n', 0, { batches, restMs, limitMs: 5000 })
    const heapBefore = await page.heap()
    await server.down()
    const samples = {}
    let waiting = 0
    for (const level of levels) {
      const sample = await measureLevel(level).catch((error) => ({ note: error.message }))
      samples[level] = sample
      if (sample.totalUs !== undefined) sample.ratio = sample.totalUs / samples[0].totalUs
      if (sample.totalUs === undefined) break
    }
    return { samples }

    async function measureLevel(level) {
      const limitMs = limitMsOf(level)
      const wanted = Math.max(0, level - waiting)
      const filled = await page.track('ad-f', wanted, { perTick: 100, pauseMs: 4, limitMs })
      if (filled < wanted) return { note: `${waiting + filled} tracked in ${limitMs / 1000} s` }
      const { isQuiet } = await page.quiet({ restMs, limitMs })
      if (!isQuiet) return { note: `tracked, but still busy ${limitMs / 1000} s later` }
      const cost = await trackCosts(page, 'ad-m', calls, { batches, restMs, limitMs })
      waiting += wanted + batches * calls
      return {
        callUs: ((cost.call - nothing.call) * 1e6) / calls,
        totalUs: ((cost.total - nothing.total) * 1e6) / calls,
        heapBytes: (await page.heap()) - heapBefore,
        ...(cost.isQuiet ? {} : { note: `still busy ${limitMs / 1000} s after the calls` }),
      }
    }
  })
}

/** Seconds of CPU, the median of some batches: of the calls themselves, and until all that they set off has come to rest. */
async function trackCosts(page, prefix, number, { batches, restMs, limitMs }) {
  const costs = []
  for (let batch = 0; batch < batches; batch += 1) {
    const before = await page.cpu()
    await page.track(prefix, number, { limitMs })
    const called = await page.cpu(limitMs)
    const after = await page.quiet({ restMs, limitMs })
    costs.push({ call: called.main - before.main, total: after.main - before.main, isQuiet: after.isQuiet })
  }
  const medianOf = (key) => median(costs.map((cost) => cost[key]))
  return { call: medianOf('call'), total: medianOf('total'), isQuiet: costs.every(({ isQuiet }) => isQuiet) }
}

/** Ten events per animation frame, the server up. */
export function measureFrames(site, row, { durationMs }) {
  return withPage(site, row, (page) => page.frames('ad-r', 10, durationMs))
}

/** Seconds of CPU of all the browser's processes and of its renderers, in steps of 10 ms. */
async function allCpu(browser) {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo')
  const sumOf = (list) => list.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
  return { all: sumOf(processInfo), renderers: sumOf(processInfo.filter(({ type }) => type === 'renderer')) }
}
