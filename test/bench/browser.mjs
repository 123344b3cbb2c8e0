// A Chromium on a profile folder of its own, driven over a pipe by the few CDP commands that the benchmark needs.
//
// Not Playwright: it turns on the Network domain, whose bookkeeping would be measured along with the row. The profile is a real one,
// since IndexedDB of a private window lives in memory. No host but 127.0.0.1 can be reached.

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromiumCommand } from '../chromium.mjs'

const args = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-breakpad',
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,Translate,OptimizationHints,MediaRouter',
  '--password-store=basic',
  '--use-mock-keychain',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

let command

/**
 * Starts a browser and gives its CDP session. `kill` is SIGKILL for the whole process group; it resolves when the browser is gone.
 * @param {string} profile the profile folder
 */
export async function startBrowser(profile) {
  command ??= await chromiumCommand()
  const child = spawn(command.executablePath, [...command.args, ...args, `--user-data-dir=${profile}`, 'about:blank'], {
    env: command.env,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const { send, end } = createPipe(child.stdio[3], child.stdio[4])
  gone.then(() => end('the browser is gone'))
  await send('Browser.getVersion')
  return {
    send,
    async kill() {
      end('the browser was killed')
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It is gone already.
      }
      await gone
    },
  }
}

export async function chromiumVersion() {
  return withBrowser(await mkdtemp(join(tmpdir(), 'bench-')), async ({ send }) => (await send('Browser.getVersion')).product)
}

/** Runs `use` with a browser on a fresh profile; nothing is left of it afterwards. */
export async function withBrowser(profile, use) {
  await removeFolder(profile)
  const browser = await startBrowser(profile)
  try {
    return await use(browser)
  } finally {
    await browser.kill()
    await removeFolder(profile)
  }
}

/** A killed browser's helpers may still be writing for a moment. */
export async function removeFolder(folder) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await rm(folder, { recursive: true, force: true })
    } catch (error) {
      if (attempt === 20) throw error
      await sleep(50)
    }
  }
}

/** CDP over two pipes: JSON texts, each ended by a zero byte. A dead page rejects what is under way on it. */
function createPipe(output, input) {
  const calls = new Map()
  let last = 0
  let text = ''
  let ended = ''
  const fail = (which, reason) => {
    for (const [id, call] of calls) {
      if (!which(call)) continue
      calls.delete(id)
      call.reject(new Error(`${call.method}: ${reason}`))
    }
  }
  const end = (reason) => {
    ended ||= reason
    fail(() => true, ended)
  }
  input.setEncoding('utf8')
  input.on('data', (chunk) => {
    const parts = (text + chunk).split('\0')
    text = parts.pop()
    for (const part of parts) receive(JSON.parse(part))
  })
  input.on('error', () => end('the pipe broke'))
  output.on('error', () => end('the pipe broke'))

  function receive({ id, method, params, result, error }) {
    if (method === 'Inspector.targetCrashed' || method === 'Target.detachedFromTarget') fail(({ session }) => session, 'the page crashed')
    const call = calls.get(id)
    if (!call) return
    calls.delete(id)
    if (error) call.reject(new Error(`${call.method}: ${error.message}`))
    else call.resolve(result ?? params)
  }

  function send(method, params = {}, session = undefined) {
    if (ended) return Promise.reject(new Error(`${method}: ${ended}`))
    last += 1
    const id = last
    output.write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`)
    return new Promise((resolve, reject) => calls.set(id, { method, session, resolve, reject }))
  }
  return { send, end }
}
