// Finds a Chromium for the browser tests, fetching one where the machine has none, and starts it.
//
// `strategies` is the order of search: each gives the path of a browser that starts, or throws the reason and the next has its turn.
// CHROMIUM_PATH is not one of them: who sets it has chosen, so it is obeyed or it is an error.
// The environment follows from the path alone (an unpacked browser brings libraries along), so a path is all that globalSetup hands down.
// The cache is made beside its place and renamed into it: what stands at `.cache/chromium` is whole, even if two processes make it at once.

import { execFile } from 'node:child_process'
import { access, constants, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { delimiter, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'

/** @typedef {NodeJS.ProcessEnv} Env */

const say = (/** @type {string} */ what) => console.error(`test/chromium.mjs: ${what}`)

const cacheFolder = fileURLToPath(new URL('../.cache', import.meta.url))
const unpackedFolder = join(cacheFolder, 'chromium')
const unpackedShell = join(unpackedFolder, 'usr/lib/chromium/chromium-headless-shell')

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'chromium-headless-shell']
const macFolders = ['/Applications', join(homedir(), 'Applications')]
const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((app) => `${app}.app/Contents/MacOS/${app}`)
const windowsFolders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
const windowsApps = ['chromium.exe', 'chrome.exe', 'Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']

const quietArgs = ['--disable-background-networking', '--disable-component-update', '--disable-sync']
const launchArgs = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...quietArgs]

/** @type {import('./chromium.d.mts').Strategy[]} */
export const strategies = [
  { name: 'PATH and the usual folders', find: findInstalled },
  { name: 'the caches of this project and of Playwright', find: findCached },
  { name: 'apt-get install', find: installByApt },
  { name: 'Playwright download', find: downloadByPlaywright },
  { name: 'unpacked apt package', find: unpackByApt },
]

export async function findChromium({ env = process.env, strategies: list = strategies } = {}) {
  const chosen = env.CHROMIUM_PATH
  if (chosen) {
    if (await isExecutable(chosen)) return { executablePath: chosen, env: await environmentOf(chosen, env) }
    throw new Error(`CHROMIUM_PATH is ${chosen}, which is not an executable file: correct it or unset it`)
  }
  const tried = ['CHROMIUM_PATH: not set']
  for (const { name, find } of list) {
    try {
      const executablePath = await find(env)
      return { executablePath, env: await environmentOf(executablePath, env) }
    } catch (error) {
      tried.push(`${name}: ${error.message}`)
    }
  }
  const advice = 'Run `sudo apt-get install chromium`, or set CHROMIUM_PATH to the executable of a Chromium or Chrome.'
  throw new Error(['No Chromium for the browser tests. Tried:', ...tried.map((line) => `  - ${line}`), advice].join('\n'))
}

export async function chromiumCommand() {
  return { ...(await findChromium()), args: [...launchArgs] }
}

/** @param {import('playwright-core').LaunchOptions} options */
export async function launchChromium(options = {}) {
  const { executablePath, args, env } = await chromiumCommand()
  return chromium.launch({ executablePath, ...options, args: [...args, ...(options.args ?? [])], env: { ...env, ...options.env } })
}

/** @param {Env} env */
async function findInstalled(env) {
  const isWindows = process.platform === 'win32'
  const usual = isWindows ? windowsFolders.map((name) => env[name] ?? '') : macFolders
  const folders = [...(env.PATH ?? '').split(delimiter), ...usual].filter(Boolean)
  const files = isWindows ? windowsApps : [...names, ...macApps]
  const candidates = files.flatMap((file) => folders.map((folder) => join(folder, file)))
  return firstThatStarts(candidates, env)
}

/** @param {Env} env */
async function findCached(env) {
  return firstThatStarts([unpackedShell, ...(await playwrightBrowsers())], env)
}

/** Playwright tells the path of its full browser only; the headless shell is in a folder beside that, which is marked when it is whole. */
async function playwrightBrowsers() {
  const full = chromium.executablePath()
  const folder = full.replace(/([\\/])chromium(-\d+)[\\/].*$/, '$1chromium_headless_shell$2')
  const files = await filesUnder(folder)
  const shells = files.includes('INSTALLATION_COMPLETE') ? files.filter((file) => /chrome-headless-shell(\.exe)?$/.test(file)) : []
  return [...shells.map((file) => join(folder, file)), full]
}

/** @param {Env} env */
async function installByApt(env) {
  if (process.getuid?.() !== 0) throw new Error('not root')
  await run('apt-get', ['--version'], 20_000, { env })
  say('installing chromium by apt-get')
  await run('apt-get', ['update', '-q'], 120_000, { env })
  const install = ['install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', 'chromium']
  await run('apt-get', install, 600_000, { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } })
  return findInstalled(env)
}

/** @param {Env} env */
async function downloadByPlaywright(env) {
  say('downloading a headless Chromium by Playwright, for 60 s at most')
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js')
  const impatient = { ...env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000' }
  await run(process.execPath, [cli, 'install', 'chromium-headless-shell'], 60_000, { env: impatient })
  return firstThatStarts(await playwrightBrowsers(), env)
}

/** Needs no root: apt works in a folder of ours, fetches what the machine lacks, knows its proxies and architecture. @param {Env} env */
async function unpackByApt(env) {
  await run('apt-get', ['--version'], 20_000, { env })
  say('unpacking chromium-headless-shell from apt into .cache/chromium')
  await mkdir(cacheFolder, { recursive: true })
  const work = await mkdtemp(join(cacheFolder, 'chromium-'))
  const aside = ['-q', '-o', `Dir::State::lists=${work}/lists`, '-o', `Dir::Cache=${work}`, '-o', 'APT::Sandbox::User=root']
  const apt = (/** @type {string[]} */ ...args) => run('apt-get', [...aside, ...args], 300_000, { env, cwd: work })
  try {
    for (const folder of ['lists/partial', 'archives/partial', 'root']) await mkdir(join(work, folder), { recursive: true })
    await apt('update')
    // chromium-common holds the data that must lie beside the executable: apt would leave it out where it is installed.
    const wanted = ['--reinstall', 'chromium-headless-shell', 'chromium-common']
    const uris = await apt('install', '--print-uris', '-y', '--no-install-recommends', ...wanted)
    const files = [...uris.matchAll(/^'[^']+' ([^_\s]+)_([^_\s]+)_\S+\.deb /gm)]
    await apt('download', ...files.map(([, name, version]) => `${name}=${decodeURIComponent(version)}`))
    for (const file of await readdir(work)) {
      if (file.endsWith('.deb')) await run('dpkg', ['-x', file, 'root'], 120_000, { env, cwd: work })
    }
    try {
      return await firstThatStarts([unpackedShell], env) // another process was faster
    } catch {
      await rm(unpackedFolder, { recursive: true, force: true }) // a leftover made for another machine, else it would start
      await rename(join(work, 'root'), unpackedFolder)
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return firstThatStarts([unpackedShell], env)
}

// A file that is there may still not start: Ubuntu's `chromium-browser` is a stub for a snap, and a Playwright build may lack libraries.
/** @param {string[]} candidates @param {Env} env */
async function firstThatStarts(candidates, env) {
  const reasons = []
  for (const path of candidates) {
    if (!(await isExecutable(path))) continue
    try {
      const whole = await environmentOf(path, env)
      const browser = await chromium.launch({ executablePath: path, args: launchArgs, env: whole, timeout: 20_000 })
      await browser.close()
      return path
    } catch (error) {
      reasons.push(`${path} does not start (${telling(error.message)})`)
    }
  }
  throw new Error(reasons.join('; ') || 'none there')
}

/** The whole environment to start `path` with. @param {string} path @param {Env} env */
async function environmentOf(path, env) {
  const whole = /** @type {Record<string, string>} */ ({ ...env })
  if (!path.startsWith(unpackedFolder + sep)) return whole
  const libraries = (await filesUnder(unpackedFolder)).filter((file) => /\.so(\.|$)/.test(file))
  const folders = new Set(libraries.map((file) => join(unpackedFolder, dirname(file))))
  return { ...whole, LD_LIBRARY_PATH: [...folders, env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter) }
}

/** @param {string} path */
async function isExecutable(path) {
  const [file, right] = await Promise.allSettled([stat(path), access(path, constants.X_OK)])
  return file.status === 'fulfilled' && file.value.isFile() && right.status === 'fulfilled'
}

/** @param {string} folder @returns {Promise<string[]>} */
async function filesUnder(folder) {
  return readdir(folder, { recursive: true }).catch(() => [])
}

/** @param {string} command @param {string[]} args @param {number} limitMs @param {{ env: Env, cwd?: string }} options */
async function run(command, args, limitMs, options) {
  try {
    return (await promisify(execFile)(command, args, { ...options, timeout: limitMs, maxBuffer: 2 ** 26 })).stdout
  } catch (error) {
    if (error.code === 'ENOENT') throw new Error(`no ${command} on PATH`)
    if (error.killed) throw new Error(`${command} took longer than ${limitMs / 1000} s`)
    throw new Error(telling(`${error.stderr ?? ''}\n${error.message}`))
  }
}

/** The line of a program's complaints that says most. @param {string} text */
function telling(text) {
  const lines = text.trim().split('\n')
  return (lines.find((line) => /^E:|error|\[err\]/i.test(line)) ?? lines[0]).replace(/^.*\[err\] /, '')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { executablePath } = await findChromium().catch((error) => {
    console.error(error.message)
    process.exit(1)
  })
  console.log(executablePath)
}
