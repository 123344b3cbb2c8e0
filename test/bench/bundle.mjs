// Makes the scripts of the rows in .cache/bench: installs the peers there from the committed lock file, and bundles every adapter
// with the same settings.

import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))
const adapters = fileURLToPath(new URL('peers/', import.meta.url))
export const cacheFolder = join(root, '.cache/bench')
const installed = join(cacheFolder, 'peers')
const modules = join(installed, 'node_modules')

function installPeers() {
  const files = ['package.json', 'package-lock.json']
  const isSame = (name) =>
    existsSync(join(installed, name)) && readFileSync(join(installed, name)).equals(readFileSync(join(adapters, name)))
  if (files.every(isSame) && existsSync(join(modules, '.package-lock.json'))) return
  mkdirSync(installed, { recursive: true })
  for (const name of files) copyFileSync(join(adapters, name), join(installed, name))
  console.error('bench: installing the peers into .cache/bench/peers')
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: installed, stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * For each row: the script whose size and evaluation are measured, and what must be loaded after it, if anything. Without `minify`
 * functions keep their names, for profiles.
 * @param {import('./rows.mjs').Row[]} rows
 */
export async function createBundles(rows, { minify = true } = {}) {
  if (rows.some(({ peer }) => peer)) installPeers()
  const bundles = new Map()
  for (const { name, peer, script } of rows) {
    const outfile = join(cacheFolder, 'scripts', `${name}.js`)
    await build({
      ...{ entryPoints: [join(adapters, `${name}.js`)], outfile, nodePaths: [modules], logLevel: 'error' },
      ...{ bundle: true, minify, format: 'iife', platform: 'browser', target: 'es2017', legalComments: 'none' },
      define: { 'process.env.NODE_ENV': '"production"' },
    })
    const adapter = readFileSync(outfile)
    const measured = script ? await scriptOf(script, minify) : adapter
    bundles.set(name, {
      scripts: script ? [measured, adapter] : [adapter],
      gzipBytes: gzipSync(measured, { level: 9 }).length,
      version: peer ? versionOf(peer) : undefined,
    })
  }
  return bundles
}

/** As it ships; or its source with names. */
async function scriptOf(script, minify) {
  if (minify) return readFileSync(join(root, script))
  const source = { entryPoints: [join(root, 'src/global.ts')], define: { __VERSION__: '"0"' } }
  const result = await build({ ...source, bundle: true, format: 'iife', target: 'es2017', write: false })
  return Buffer.from(result.outputFiles[0].contents)
}

function versionOf(peer) {
  return JSON.parse(readFileSync(join(modules, peer, 'package.json'), 'utf8')).version
}
