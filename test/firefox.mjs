// Finds a Firefox for the tests, fetching one by apt where the machine has none. FIREFOX_PATH is obeyed or it is an error.

import { access, constants, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installByApt } from './apt.mjs'

const names = ['firefox-esr', 'firefox']
const macApp = '/Applications/Firefox.app/Contents/MacOS/firefox'

export async function findFirefox({
  env = process.env,
  install = (/** @type {NodeJS.ProcessEnv} */ own) => installByApt(['firefox-esr'], own),
} = {}) {
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
    `No Firefox for the tests${reason}. Run \`sudo apt-get install firefox-esr\`, or set FIREFOX_PATH to the executable of a Firefox.`,
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
