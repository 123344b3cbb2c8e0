// Links the game as Unity does: Emscripten, the package's .jspre as --pre-js and its .jslib as --js-library, optimised, in one closure.

import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installByApt } from '../../../apt.mjs'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../../', import.meta.url))
export const here = fileURLToPath(new URL('./', import.meta.url))

/** A place for what the tests make; never inside the repository. */
export const work = mkdtempSync(join(tmpdir(), 'player-data-unity-'))
/** Taken once, so that a build that runs beside the tests changes nothing under them. */
export const unityPackage = join(work, 'com.playerdata.runtime')
cpSync(join(root, 'dist/unity/com.playerdata.runtime'), unityPackage, { recursive: true })

const tools: Record<string, string[]> = {
  emcc: ['emscripten'],
  mcs: ['mono-mcs', 'libmono-cil-dev'],
  mono: ['mono-runtime'],
  cc: ['gcc', 'libc6-dev'],
}
const isThere = (name: string) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
const missing = Object.keys(tools).filter((name) => !isThere(name))
// While the file is loaded, since no test waits for as long as a compiler takes to arrive.
if (missing.length > 0) await installByApt(missing.flatMap((name) => tools[name] ?? []))

/** Runs one of the tools to its end. Rejects with all that it has said. */
export async function tool(name: string, args: string[], env: Record<string, string> = {}): Promise<{ out: string; err: string }> {
  try {
    const options = { cwd: work, env: { ...process.env, ...env }, maxBuffer: 2 ** 26, timeout: 600_000 }
    const { stdout, stderr } = await run(name, args, options)
    return { out: stdout, err: stderr }
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${message}\n${stdout}${stderr}`)
  }
}

/** What comes of a project that has left the runtime out of the build. */
export const linkWithoutRuntime = () => link('bare.js', [])

const plugins = join(unityPackage, 'Runtime/Plugins/WebGL')

async function link(name: string, more: string[]): Promise<string> {
  const settings = [
    'MODULARIZE=1',
    'EXPORT_NAME=unityFramework',
    'ALLOW_MEMORY_GROWTH=1',
    'EXPORTED_FUNCTIONS=_main,_malloc,_free',
    'EXPORTED_RUNTIME_METHODS=cwrap',
    // One file for the page and for Node, whose own fetch would keep Emscripten from finding a second one.
    'SINGLE_FILE=1',
  ]
  const flags = ['-O2', '--js-library', join(plugins, 'PlayerData.jslib'), ...more, ...settings.map((setting) => `-s${setting}`)]
  // Debian's optimiser asks for acorn without bringing it.
  const env = { NODE_PATH: join(root, 'node_modules') }
  await tool('emcc', [join(here, 'game.c'), ...flags, '-o', join(work, name)], env)
  return join(work, name)
}

/** The framework file, as a page loads it: the global `unityFramework`. The first link on a machine compiles the C library, too. */
export const framework = await link('framework.js', ['--pre-js', join(plugins, 'PlayerData.jspre')])
