// Where the CPU of a row goes until its events are delivered: a CPU profile of the main thread, the functions with the most time of
// their own. It needs names, so the scripts are not minified for it.

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withBrowser } from './browser.mjs'
import { events } from './measure.mjs'
import { openPage } from './page.mjs'
import { createServer } from './server.mjs'

const shown = 30
/** The profiler's names for time in which nothing of the page ran. */
const resting = new Set(['(idle)', '(root)'])

export async function printProfile(site, row) {
  const server = await createServer()
  await withBrowser(await mkdtemp(join(tmpdir(), 'bench-')), async (browser) => {
    const page = await openPage(browser, site, row)
    await page.start(server.url)
    await page.quiet()
    await page.send('Profiler.enable')
    await page.send('Profiler.setSamplingInterval', { interval: 100 })
    await page.send('Profiler.start')
    await page.track('ad-d', events, { perTick: 100, pauseMs: 16, limitMs: 20_000 })
    await server.waitFor('ad-d', events, 20_000)
    await page.quiet({ limitMs: 2000 })
    const { profile } = await page.send('Profiler.stop')
    console.log(`${row.name}: self time in microseconds per event, of ${server.countOf('ad-d').distinct} events delivered`)
    for (const { label, us } of selfTimes(profile).slice(0, shown)) console.log(`${us.toFixed(2).padStart(9)}  ${label}`)
  })
  await server.down()
}

function selfTimes({ nodes, samples, timeDeltas }) {
  const labels = new Map(nodes.map(({ id, callFrame }) => [id, labelOf(callFrame)]))
  const times = new Map()
  samples.forEach((id, index) => {
    const label = labels.get(id)
    // A sample stands for the time until the next one.
    if (!resting.has(label)) times.set(label, (times.get(label) ?? 0) + (timeDeltas[index + 1] ?? 0) / events)
  })
  return [...times].map(([label, us]) => ({ label, us })).sort((one, other) => other.us - one.us)
}

function labelOf({ functionName, url, lineNumber }) {
  return `${functionName || '(anonymous)'}${url ? ` ${url.replace(/^.*[/]([^/]+[/][^/]+)$/, '$1')}:${lineNumber + 1}` : ''}`
}
