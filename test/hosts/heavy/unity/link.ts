// Links the game as Unity does: Emscripten, the package's .jspre as --pre-js and its .jslib as --js-library, optimised, in one closure.

import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** Runs a tool that Debian has, and installs its packages where the machine lacks it. Rejects with all that the tool has said. */
export async function tool(
  packages: string[],
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ out: string; err: string }> {
  const attempt = () => run(command, args, { cwd: work, env: { ...process.env, ...env }, maxBuffer: 2 ** 26, timeout: 600_000 })
  try {
    const { stdout, stderr } = await attempt().catch(async (error) => {
      if (error.code !== 'ENOENT') throw error
      await installByApt(packages)
      return attempt()
    })
    return { out: stdout, err: stderr }
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${message}\n${stdout}${stderr}`)
  }
}

let linked: Promise<string> | undefined

/** The framework file, as a page loads it: the global `unityFramework`. Linked once. */
export function linkGame(): Promise<string> {
  linked ??= link()
  return linked
}

async function link(): Promise<string> {
  const plugins = join(unityPackage, 'Runtime/Plugins/WebGL')
  const file = join(work, 'framework.js')
  const flags = ['-O2', '--js-library', join(plugins, 'PlayerData.jslib'), '--pre-js', join(plugins, 'PlayerData.jspre')]
  const settings = [
    'MODULARIZE=1',
    'EXPORT_NAME=unityFramework',
    'ALLOW_MEMORY_GROWTH=1',
    'EXPORTED_FUNCTIONS=_main,_malloc,_free',
    'EXPORTED_RUNTIME_METHODS=cwrap',
    // One file for the page and for Node, whose own fetch would keep Emscripten from finding a second one.
    'SINGLE_FILE=1',
  ]
  // Debian's optimiser asks for acorn without bringing it.
  const env = { NODE_PATH: join(root, 'node_modules') }
  await tool(['emscripten'], 'emcc', [join(here, 'game.c'), ...flags, ...settings.map((setting) => `-s${setting}`), '-o', file], env)
  return file
}
