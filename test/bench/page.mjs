// One row in one page: loads its script, tracks, and reads the renderer's own accounts.
//
// CPU is thread time: `ThreadTime` of CDP's Performance.getMetrics is the CPU clock of the page's main thread, so waiting and other
// processes do not count, while the structured clone of an IndexedDB put, parsing, and garbage collection on that thread do.
// `ProcessTime` is the whole renderer's, in steps of 10 ms. Reading them costs the page about 0.1 ms, so nothing polls it closely.

import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Serves an empty page, and the rows' scripts at /NAME/0.js and /NAME/1.js. */
export async function createSite(bundles) {
  const http = createServer((request, response) => {
    const [, name, index] = /^[/]([^/]+)[/]([01])[.]js$/.exec(request.url) ?? []
    response.setHeader('cache-control', 'no-store')
    response.setHeader('content-type', name ? 'text/javascript' : 'text/html')
    response.end(name ? (bundles.get(name)?.scripts[index] ?? '') : '<!doctype html><title>bench</title><link rel="icon" href="data:,">')
  })
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${http.address().port}`,
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
}

/**
 * In the page: tracks `number` events, `perTick` at a time with a pause between. Gives how many it tracked before the limit; who has
 * got half of them through by then has as long again.
 */
function trackLoop(prefix, number, perTick, pauseMs, limitMs) {
  const { track } = window.bench
  const idOf = (index) => prefix + String(index).padStart(7, '0')
  const startAt = performance.now()
  let index = 0
  const tick = () => {
    const end = Math.min(number, index + perTick)
    for (; index < end; index += 1) track(idOf(index))
    return index === number || performance.now() - startAt > (index < number / 2 ? limitMs : 2 * limitMs)
  }
  if (tick()) return index
  return new Promise((resolve) => {
    const next = () => (tick() ? resolve(index) : setTimeout(next, pauseMs))
    setTimeout(next, pauseMs)
  })
}

/** In the page: some events per animation frame for a while. */
function frameLoop(prefix, perFrame, durationMs) {
  const idOf = (index) => prefix + String(index).padStart(7, '0')
  let longTasks = 0
  let longestTaskMs = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      longTasks += 1
      longestTaskMs = Math.max(longestTaskMs, duration)
    }
  })
  observer.observe({ entryTypes: ['longtask'] })
  return new Promise((resolve) => {
    let index = 0
    let frames = 0
    let worstMs = 0
    let startAt = 0
    let lastAt = 0
    const frame = (at) => {
      startAt ||= at
      if (lastAt) worstMs = Math.max(worstMs, at - lastAt)
      lastAt = at
      if (at - startAt > durationMs) {
        // What the last frame left behind may be a long task too.
        setTimeout(() => resolve({ frames, tracked: index, worstMs, longTasks, longestTaskMs }), 500)
        return
      }
      frames += 1
      for (const end = index + perFrame; index < end; index += 1) window.bench.track(idOf(index))
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
}

function loadScript(src) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    Object.assign(script, { src, onload: () => resolve(), onerror: () => reject(new Error(src)) })
    document.head.append(script)
  })
}

/**
 * Opens a page of the row; its script is loaded, nothing is started yet. Whatever takes longer than its limit rejects.
 * @param {{ send: Function }} browser
 */
export async function openPage(browser, site, { name, script }) {
  const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
  const send = (method, params, limitMs = 15_000) => within(limitMs, browser.send(method, params, sessionId))
  const call = async (fn, args, limitMs, awaitPromise = true) => {
    const expression = `(${fn})(${args.map((arg) => JSON.stringify(arg)).join()})`
    const reply = await send('Runtime.evaluate', { expression, awaitPromise, returnByValue: true }, limitMs)
    if (reply.exceptionDetails) throw new Error(reply.exceptionDetails.exception?.description ?? reply.exceptionDetails.text)
    return reply.result.value
  }
  await send('Inspector.enable')
  await send('Performance.enable', { timeDomain: 'threadTicks' })
  await send('Page.navigate', { url: site.url })
  await call('() => new Promise((resolve) => document.readyState === "complete" ? resolve() : addEventListener("load", resolve))', [])

  /** Seconds of CPU so far. */
  async function cpu(limitMs) {
    const { metrics } = await send('Performance.getMetrics', {}, limitMs)
    const read = (wanted) => metrics.find((metric) => metric.name === wanted).value
    return { main: read('ThreadTime'), renderer: read('ProcessTime') }
  }

  /** Waits until the main thread has rested for `restMs`. Gives the last reading. */
  async function quiet({ restMs = 200, limitMs = 20_000 } = {}) {
    const endAt = Date.now() + limitMs
    let before = await cpu(limitMs)
    for (;;) {
      await sleep(restMs)
      const after = await cpu(Math.max(1000, endAt - Date.now()))
      const isQuiet = after.main - before.main < 0.001
      if (isQuiet || Date.now() > endAt) return { ...after, isQuiet }
      before = after
    }
  }

  /** CPU of fetching, parsing and running a script, microseconds. */
  async function load(src) {
    const before = await cpu()
    await call(loadScript, [src])
    return ((await cpu()).main - before.main) * 1e6
  }

  await sleep(200)
  await load('/empty/0.js')
  const emptyUs = await load('/empty/1.js')
  const evaluationUs = (await load(`/${name}/0.js`)) - emptyUs
  if (script) await load(`/${name}/1.js`)

  return {
    /** CPU of the row's script beyond that of an empty one, microseconds. */
    evaluationUs,
    cpu,
    quiet,
    send,
    start: (url) => call('(url) => window.bench.start(url)', [url]),
    stats: () => call('() => window.bench.stats?.()', []),
    /** Without `perTick` all in one task, whose end is told at once. Gives how many were tracked in time. */
    track: (prefix, number, { perTick = number, pauseMs = 0, limitMs = 60_000 } = {}) =>
      call(trackLoop, [prefix, number, perTick, pauseMs, limitMs], 2 * limitMs + 5000, perTick < number),
    frames: (prefix, perFrame, durationMs) => call(frameLoop, [prefix, perFrame, durationMs], durationMs + 30_000),
    /** Bytes of the JavaScript heap in use after a full collection. */
    async heap() {
      await send('HeapProfiler.collectGarbage', {}, 60_000)
      return (await send('Runtime.getHeapUsage', {}, 60_000)).usedSize
    },
  }
}

async function within(limitMs, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`main thread blocked for ${Math.round(limitMs / 1000)} s`)), limitMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
