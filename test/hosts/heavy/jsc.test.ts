// JavaScriptCore with nothing but the language, driven from outside as an app drives its script VM: a frame every 16 ms, requests and
// storage by messages. The storage is a file on this side, as a phone's is.

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { KeyValue } from '../../../src/port.ts'
import { installByApt } from '../../apt.mjs'
import { walkJourney } from '../journey.ts'
import { sendRequest } from '../native.ts'
import { agent, bundle, callsBy } from '../scripts.ts'

const FRAME_MS = 16
const LIMIT_MS = 45_000
const game = await readFile(new URL('jsc.js', import.meta.url), 'utf8')

type Change = Parameters<KeyValue['write']>[0]

/** One JSON file, replaced as a whole. */
function createFile(path: string) {
  let last: Promise<unknown> = Promise.resolve()
  const all = async (): Promise<Record<string, unknown>> => JSON.parse(await readFile(path, 'utf8').catch(() => '{}'))
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run)
    last = result.catch(() => {})
    return result
  }
  return {
    get: (keys: string[]) => inTurn(async () => all().then((values) => keys.map((key) => values[key]))),
    keys: (prefix: string) =>
      inTurn(async () =>
        Object.keys(await all())
          .filter((key) => key.startsWith(prefix))
          .sort(),
      ),
    write: ({ set = [], delete: gone = [] }: Change) =>
      inTurn(async () => {
        const values = await all()
        for (const key of gone) delete values[key]
        for (const [key, value] of set) values[key] = value
        await writeFile(`${path}.new`, JSON.stringify(values))
        await rename(`${path}.new`, path)
      }),
    text: () => inTurn(() => readFile(path, 'utf8')),
  }
}

async function startVm(folder: string, file: ReturnType<typeof createFile>) {
  const script = join(folder, 'game.js')
  await writeFile(script, [game, bundle, agent, 'native.run()'].join('\n;\n'))
  const child = spawn('jsc', [script], { stdio: ['pipe', 'pipe', 'pipe'] })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const shown: string[] = []
  const waiting = new Map<number, (text: string) => void>()
  let calls = 0
  const tell = (message: object) => {
    const ascii = JSON.stringify(message).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    child.stdin.write(`${ascii}\n`)
  }
  const native: Record<string, (argument: never) => Promise<unknown>> = { http: sendRequest, ...file }
  child.stdin.on('error', () => {}) // killed between two frames
  child.stderr.on('data', (data) => shown.push(String(data)))
  createInterface(child.stdout).on('line', async (line) => {
    if (!line.startsWith('{')) {
      shown.push(line)
      return
    }
    const { ask, id, args, done, text } = JSON.parse(line)
    if (done) waiting.get(done)?.(text)
    else {
      await native[ask]?.(args[0] as never).then(
        (value) => tell({ answer: id, value }),
        (error) => tell({ answer: id, error: String(error) }),
      )
    }
  })
  tell({ random: [...randomBytes(4096)] })
  const frames = setInterval(() => tell({}), FRAME_MS)
  return {
    shown,
    evaluate: (script: string) =>
      new Promise<string>((resolve, reject) => {
        calls += 1
        const id = calls
        const timer = setTimeout(() => reject(new Error(`jsc has not answered within ${LIMIT_MS} ms: ${script} ${shown}`)), LIMIT_MS)
        waiting.set(id, (text) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(text)
        })
        tell({ script, id })
      }),
    async kill() {
      clearInterval(frames)
      child.kill('SIGKILL')
      await gone
    },
  }
}

walkJourney({
  name: 'JavaScriptCore',
  is: 'WebKitGTK’s bare VM (jsc): no timers, no fetch, no console; stands in for the VM of minigames on iOS',
  async open() {
    await findJsc()
    const folder = await mkdtemp(join(tmpdir(), 'player-data-jsc-'))
    const file = createFile(join(folder, 'storage.json'))
    const shown: string[] = []
    let vm = await startVm(folder, file)
    return {
      call: callsBy((script) => vm.evaluate(script)),
      async restart() {
        await vm.kill()
        shown.push(...vm.shown)
        vm = await startVm(folder, file)
      },
      traces: async () => [...shown, ...vm.shown, await file.text()].join('\n'),
      async close() {
        await vm.kill()
        await rm(folder, { recursive: true, force: true })
      },
    }
  },
})

async function findJsc(): Promise<void> {
  const starts = () =>
    new Promise<boolean>((resolve) => {
      const child = spawn('jsc', ['-e', '0'], { stdio: 'ignore' })
      child.once('error', () => resolve(false))
      child.once('close', (code) => resolve(code === 0))
    })
  if (await starts()) return
  await installByApt(['libjavascriptcoregtk-4.0-bin']).catch((error) => {
    throw new Error(`No jsc for the tests (apt-get install: ${error.message}). Run \`sudo apt-get install libjavascriptcoregtk-4.0-bin\`.`)
  })
}
