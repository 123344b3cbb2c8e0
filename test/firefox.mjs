// Finds a Firefox for the crash tests, fetching one by apt where the machine has none. FIREFOX_PATH is obeyed or it is an error.

import { execFile } from 'node:child_process'
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const names = ['firefox-esr', 'firefox']
const macApp = '/Applications/Firefox.app/Contents/MacOS/firefox'

export async function findFirefox({ env = process.env, install = installByApt } = {}) {
  const chosen = env.FIREFOX_PATH
  if (chosen) {
    if (await isExecutable(chosen)) return { executablePath: chosen }
    throw new Error(`FIREFOX_PATH is ${chosen}, which is not an executable file: correct it or unset it`)
  }
  let reason = ''
  if (!(await findInstalled(env))) {
    await install(env).catch((error) => {
      reason = ` (apt-get install: ${error.message})`
    })
  }
  const executablePath = await findInstalled(env)
  if (executablePath) return { executablePath }
  throw new Error(
    `No Firefox for the crash tests${reason}. Run \`sudo apt-get install firefox-esr\`, or set FIREFOX_PATH to the executable of a Firefox.`,
  )
}

/** @param {NodeJS.ProcessEnv} env */
async function findInstalled(env) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  for (const path of [...names.flatMap((name) => folders.map((folder) => join(folder, name))), macApp]) {
    if (await isExecutable(path)) return path
  }
  return undefined
}

/** @param {NodeJS.ProcessEnv} env */
async function installByApt(env) {
  if (process.getuid?.() !== 0) throw new Error('not root')
  console.error('test/firefox.mjs: installing firefox-esr by apt-get')
  const apt = (/** @type {string[]} */ ...args) =>
    promisify(execFile)('apt-get', args, { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 600_000, maxBuffer: 2 ** 26 })
  await apt('update', '-q')
  await apt('install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120', 'firefox-esr')
}

/** @param {string} path */
async function isExecutable(path) {
  const [file, right] = await Promise.allSettled([stat(path), access(path, constants.X_OK)])
  return file.status === 'fulfilled' && file.value.isFile() && right.status === 'fulfilled'
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { executablePath } = await findFirefox().catch((error) => {
    console.error(error.message)
    process.exit(1)
  })
  console.log(executablePath)
}
