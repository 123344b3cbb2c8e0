// What the tests fetch from Debian where the machine lacks it. One installation at a time, whoever asks.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Installs packages by apt-get. Rejects where the user is not root, or apt fails; the caller says what to do then.
 * @param {string[]} packages
 * @param {NodeJS.ProcessEnv} env
 */
export async function installByApt(packages, env = process.env) {
  if (process.getuid?.() !== 0) throw new Error('not root')
  console.error(`installing ${packages.join(', ')} by apt-get`)
  const apt = (/** @type {string[]} */ ...args) =>
    promisify(execFile)('apt-get', args, { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 900_000, maxBuffer: 2 ** 26 })
  await apt('update', '-q')
  await apt('install', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', ...packages)
}
