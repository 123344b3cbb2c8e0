// The code of the guides for engines that no machine here has, in what stands in for them.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { build, type Plugin } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { type Block, blocksOf, printsOf } from '../blocks.ts'
import { startProgram } from '../program.ts'
import { createCocosNative } from './fixtures/cocos.ts'
import { createMinigame } from './fixtures/minigame.ts'
import { bundle } from './scripts.ts'

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await createSandbox({ strict: true })
})
afterEach(() => sandbox.close())

const codeOf = ({ code }: Block) => code.replaceAll('http://127.0.0.1:4010', sandbox.url)

/** Waits until the block has printed what it says, and the service has what it tracked. */
async function expectPlayed(block: Block, printed: string[]): Promise<void> {
  expect(printsOf(block).length).toBeGreaterThan(0)
  await vi.waitFor(() => {
    for (const line of printsOf(block)) expect(printed.join('\n')).toContain(line)
    expect(sandbox.events().map(({ event }) => event.eventType)).toEqual(['Game_Start'])
  }, 10_000)
  expect(sandbox.breaches()).toEqual([])
}

describe('docs/minigames.md', () => {
  it.each(blocksOf('minigame').flatMap((block) => (['wx', 'tt'] as const).map((host) => ({ host, block }))))(
    'in $host',
    async ({ host, block }) => {
      const game = createMinigame({ host, storage: new Map() })
      try {
        game.load(bundle)
        game.load(`{ const require = () => PlayerData; ${codeOf(block)} }`)
        await expectPlayed(block, game.printed)
        expect(game.misuses).toEqual([])
      } finally {
        game.kill()
      }
    },
  )
})

describe('docs/puerts.md', () => {
  it.each(blocksOf('puerts'))('block $at', async (block) => {
    const printed: string[] = []
    const { Lender, files } = createLender()
    const console = { log: (...words: unknown[]) => printed.push(words.join(' ')) }
    const context = createContext({ CS: { Game: { Lender } }, console })
    runInContext(bundle, context)
    runInContext(codeOf(block).replace(/import (\{.*\}) from 'player-data.mjs'/, 'const $1 = PlayerData'), context)
    const frames = setInterval(() => runInContext('onFrame()', context), 16)
    try {
      await expectPlayed(block, printed)
      expect(files.saved).toContain('accessToken')
    } finally {
      clearInterval(frames)
    }
  })

  /** What the page's C# does, as far as JavaScript sees it. */
  function createLender() {
    const values = new Map<string, string>()
    const files = { saved: '' }
    type Done = (error: string, status: number, headers: string, body: string) => void
    const Lender = {
      Send(method: string, url: string, headers: string, body: string, timeoutMs: number, done: Done) {
        const lines = headers.split('\n')
        const own = Object.fromEntries(lines.flatMap((line, at) => (at % 2 ? [] : [[line, lines[at + 1] ?? '']])))
        fetch(url, { method, headers: own, body: body || null, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) }).then(
          async (reply) => done('', reply.status, [...reply.headers].flat().join('\n'), await reply.text()),
          (error) => done(String(error), 0, '', ''),
        )
      },
      Get: (key: string) => values.get(key) ?? '',
      Set: (key: string, text: string) => void values.set(key, text),
      Delete: (key: string) => void values.delete(key),
      Keys: (prefix: string) => [...values.keys()].filter((key) => key.startsWith(prefix)).join('\n'),
      Save() {
        files.saved = [...values].map((pair) => pair.join('\t')).join('\n')
      },
    }
    return { Lender, files }
  }
})

describe('docs/cocos.md', () => {
  it.each(blocksOf('cocos'))('block $at type-checks against the engine', async ({ code }) => {
    const folder = new URL('../../.cache/cocos/', import.meta.url)
    mkdirSync(folder, { recursive: true })
    writeFileSync(new URL('block.ts', folder), code)
    const config = { extends: '../../docs/examples/cocos/npm/tsconfig.json', include: ['block.ts'] }
    writeFileSync(new URL('tsconfig.json', folder), JSON.stringify(config))
    const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
    const program = startProgram(process.execPath, [tsc, '-p', fileURLToPath(folder)])
    expect([await program.exit, program.shown.out]).toEqual([0, ''])
    rmSync(folder, { recursive: true })
  })

  /** The parts of the engine that the examples name, on top of the stand-in for a native build. */
  const engine = `
    const named = () => (target) => target
    export const _decorator = { ccclass: named, property: Object.assign(() => {}, {}) }
    export class Component { constructor() { this.node = {} } }
    export class Label {}
    export const director = { addPersistRootNode() {} }
    export const { game, sys } = cc`

  it.each(['npm', 'plugin'])('the %s example logs in, tracks, is hidden and killed, and loses nothing', async (way) => {
    const storage = new Map<string, string>()
    const script = await bundleExample(way)
    const start = () => {
      const game = createCocosNative({ storage })
      game.loadPlugin(bundle)
      game.loadProject(script)
      game.run(`service = new PlayerService(); service.baseUrl = ${JSON.stringify(sandbox.url)}; service.onLoad()`)
      game.run('setInterval(() => service.update(), 16)')
      return game
    }
    const first = start()
    await first.run('service.logIn()')
    sandbox.addFault({ kind: 'drop', when: 'before' })
    first.run(`service.player.track('Level_Start', { level: 1 })`)
    first.hide()
    first.kill()
    sandbox.clearFaults()
    const second = start()
    try {
      await second.run('service.logIn()')
      await vi.waitFor(() => expect(sandbox.events().map(({ event }) => event.payload)).toEqual([{ level: 1 }]), 10_000)
      expect(sandbox.events()[0]?.event.metadata).toMatchObject({ deviceType: 'phone', osName: 'Android' })
      expect([...first.misuses, ...second.misuses]).toEqual([])
    } finally {
      second.kill()
    }
  })

  /** As Creator compiles it: one script, decorators lowered; the runtime from npm, or the plugin's global. */
  async function bundleExample(way: string): Promise<string> {
    const shim = (name: string, contents: string): Plugin => ({
      name,
      setup(bundler) {
        bundler.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: name }))
        bundler.onLoad({ filter: /.*/, namespace: name }, () => ({ contents, loader: 'js' }))
      },
    })
    const runtime = fileURLToPath(new URL('../../dist/player-data.mjs', import.meta.url))
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL(`../../docs/examples/cocos/${way}/PlayerService.ts`, import.meta.url))],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'example',
      target: 'es2017',
      alias: { 'player-data-runtime': runtime },
      plugins: [shim('cc', engine)],
    })
    return `${outputFiles[0]?.text}; globalThis.PlayerService = example.PlayerService`
  }
})
