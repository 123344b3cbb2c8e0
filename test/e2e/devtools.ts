// A Chromium driven by the bare DevTools protocol. Playwright keeps every page visible, focused and out of the back-forward cache; here
// pages are hidden, frozen and brought back as they are for a player.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { chromiumCommand } from '../chromium.mjs'

export interface Tab {
  /** Runs the function's text in the page, with JSON arguments and result. */
  run<T, A extends unknown[]>(body: (...args: A) => T, ...args: A): Promise<Awaited<T>>
  send(method: string, params?: object): Promise<Record<string, unknown>>
  close(): Promise<void>
}

export interface DevTools {
  /** Opens a tab in the foreground, which hides the others. */
  open(url: string): Promise<Tab>
  close(): Promise<void>
}

export async function startDevTools(more: string[] = []): Promise<DevTools> {
  const { executablePath, args, env } = await chromiumCommand()
  const profile = await mkdtemp(join(tmpdir(), 'player-data-devtools-'))
  const own = ['--headless', '--remote-debugging-pipe', `--user-data-dir=${profile}`, ...more, 'about:blank']
  const child = spawn(executablePath, [...args, ...own], { env, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], detached: true })
  const exit = once(child, 'exit')
  const [input, output] = [child.stdio[3] as Writable, child.stdio[4] as Readable]
  const waiting = new Map<number, { resolve(result: Record<string, unknown>): void; reject(error: Error): void }>()
  let last = 0
  let rest = ''
  output.setEncoding('utf8').on('data', (data: string) => {
    const messages = (rest + data).split('\0')
    rest = messages.pop() ?? ''
    for (const { id, result, error } of messages.map((text) => JSON.parse(text))) {
      if (error) waiting.get(id)?.reject(new Error(error.message))
      else waiting.get(id)?.resolve(result)
      waiting.delete(id)
    }
  })

  function send(method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> {
    last += 1
    input.write(`${JSON.stringify({ id: last, method, params, ...(sessionId && { sessionId }) })}\0`)
    return new Promise((resolve, reject) => waiting.set(last, { resolve, reject }))
  }

  return {
    async open(url) {
      const { targetId } = await send('Target.createTarget', { url })
      const { sessionId } = (await send('Target.attachToTarget', { targetId, flatten: true })) as { sessionId: string }
      return {
        async run(body, ...args) {
          const expression = `(${body})(...${JSON.stringify(args)})`
          const reply = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true }, sessionId)
          const { result, exceptionDetails } = reply as { result: { value: never }; exceptionDetails?: object }
          if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
          return result.value
        },
        send: (method, params) => send(method, params, sessionId),
        close: async () => void (await send('Target.closeTarget', { targetId })),
      }
    },
    async close() {
      process.kill(-(child.pid as number), 'SIGKILL')
      await exit
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
