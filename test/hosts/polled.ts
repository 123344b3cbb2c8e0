// A browser without a driver: the page asks our server for the next script, runs it, and posts what came out. Works in any browser that
// can be started on an address, and leaves the browser's process free to be killed.

import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserName, type Killable, startBrowser } from '../crash/browsers.ts'
import type { Host } from './host.ts'
import { agent, bundle, callsBy } from './scripts.ts'
import { readStores } from './stores.ts'

const LIMIT_MS = 45_000

/** The page's part. An answer of 204 is a poll without news. */
async function poll(): Promise<void> {
  for (;;) {
    const next = await fetch('/next', { method: 'POST' })
    if (next.status !== 200) continue
    // biome-ignore lint/security/noGlobalEval: to run what the test sends is all that this page is for
    const result = globalThis.eval(await next.text())
    Promise.resolve(result).then((body) => fetch(`/done/${next.headers.get('x-id')}`, { method: 'POST', body }))
  }
}

/** A restart is a kill of the whole browser, and a start on the same profile. */
export async function openPolled(browser: BrowserName): Promise<Host> {
  const profile = await mkdtemp(join(tmpdir(), 'player-data-host-'))
  const waiting = new Map<string, { script: string; resolve(text: string): void }>()
  const unsent: string[] = []
  let polled: ServerResponse | undefined
  let calls = 0

  function send(): void {
    if (!polled || unsent.length === 0) return
    const id = unsent.shift() as string
    polled.setHeader('x-id', id)
    polled.end(waiting.get(id)?.script)
    polled = undefined
  }

  const server = createServer(async (request, response) => {
    const [, path = '', id = ''] = (request.url ?? '').split('/')
    if (path === 'next') {
      polled = response
      send()
    } else if (path === 'done') {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part)
      waiting.get(id)?.resolve(Buffer.concat(parts).toString())
      response.end()
    } else {
      response.setHeader('content-type', path === '' ? 'text/html' : 'text/javascript')
      if (path === 'player-data.js') response.end(bundle)
      else if (path === 'agent.js') response.end(`${agent}\n;(${poll})()`)
      else
        response.end('<!doctype html><link rel="icon" href="data:,"><script src="player-data.js"></script><script src="agent.js"></script>')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  async function evaluate(script: string): Promise<string> {
    calls += 1
    const id = String(calls)
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<string>((resolve, reject) => {
        waiting.set(id, { script, resolve })
        timer = setTimeout(() => reject(new Error(`${browser} has not answered within ${LIMIT_MS} ms: ${script}`)), LIMIT_MS)
        unsent.push(id)
        send()
      })
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }

  const started: Killable[] = []
  const start = async () => {
    polled = undefined
    started.push(await startBrowser[browser](url, profile))
  }
  await start()
  return {
    call: callsBy(evaluate),
    async restart() {
      await started.at(-1)?.kill()
      await start()
    },
    async traces() {
      const stored = await evaluate(`(${readStores})()`)
      return [...started.map(({ shown }) => shown.out + shown.err), stored].join('\n')
    },
    async close() {
      await started.at(-1)?.kill()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
