// The engines of npm, from the committed lock file, and scripts made of them. They are large, so they are fetched at the first use, into
// .cache/engines.

import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { launchChromium } from '../chromium.mjs'
import { createBundleSite } from '../page.ts'
import type { HostKind } from './host.ts'
import { agent, callsBy } from './scripts.ts'
import { readStores } from './stores.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const games = fileURLToPath(new URL('engines/', import.meta.url))
const installed = join(root, '.cache/engines')

/** The folder where the engines, and this package by its name, can be imported. */
export async function installEngines(): Promise<string> {
  const files = ['package.json', 'package-lock.json']
  const modules = join(installed, 'node_modules')
  const isSame = (name: string) =>
    existsSync(join(installed, name)) && readFileSync(join(installed, name)).equals(readFileSync(join(games, name)))
  if (!files.every(isSame) || !existsSync(join(modules, '.package-lock.json'))) {
    mkdirSync(installed, { recursive: true })
    for (const name of files) copyFileSync(join(games, name), join(installed, name))
    console.error('installing the engines into .cache/engines')
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: installed })
  }
  if (!existsSync(join(modules, 'player-data-runtime'))) symlinkSync(root, join(modules, 'player-data-runtime'), 'dir')
  return installed
}

/** One script of a module and all that it imports, as a game's own build makes it. */
export async function bundleGame(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: await installEngines() },
    ...{ bundle: true, write: false, format: 'esm', target: 'es2022', logLevel: 'error', legalComments: 'none' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}

/** Chromium that draws by WebGL without a graphics card. */
export function launchWithWebGl() {
  return launchChromium({ args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] })
}

/**
 * A host whose game is engines/NAME.js: it starts the engine, and has `runCalls` called from inside the engine's own update. The calls of
 * the journey wait for that. A restart is a reload of the page.
 */
export function engineHost({ name, is, game }: { name: string; is: string; game: string }): HostKind {
  return {
    name,
    is,
    async open() {
      const script = await bundleGame(readFileSync(join(games, game), 'utf8'))
      const browser = await launchWithWebGl()
      const site = await createBundleSite()
      const printed: string[] = []
      const page = await site.open(await browser.newContext())
      page.on('console', (message) => printed.push(message.text()))
      const start = async () => {
        await page.addScriptTag({ content: agent })
        await page.addScriptTag({ content: 'var calls = []; function runCalls() { while (calls.length) calls.shift()() }' })
        await page.addScriptTag({ content: script, type: 'module' })
      }
      await start()
      return {
        call: callsBy((call) => page.evaluate(`new Promise((resolve) => calls.push(() => resolve(${call})))`)),
        async restart() {
          await page.reload()
          await start()
        },
        traces: async () => printed.join('\n') + (await page.evaluate(readStores)),
        async close() {
          await browser.close()
          await site.close()
        },
      }
    },
  }
}
