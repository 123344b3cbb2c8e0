import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chromiumCommand, findChromium, launchChromium, type Strategy, strategies } from './chromium.mjs'

const fails = (name: string, reason: string): Strategy => ({ name, find: () => Promise.reject(new Error(reason)) })
const finds = (path: string): Strategy => ({ name: path, find: () => Promise.resolve(path) })

describe('findChromium', () => {
  it('obeys CHROMIUM_PATH and asks no strategy', async () => {
    const env = { CHROMIUM_PATH: process.execPath, HOME: '/home/player' }
    expect(await findChromium({ env, strategies: [finds('/elsewhere')] })).toEqual({ executablePath: process.execPath, env })
  })

  it.each([
    ['a missing file', '/no/such/chromium'],
    ['a folder', import.meta.dirname],
    ['a file that is not executable', import.meta.filename],
  ])('does not go on when CHROMIUM_PATH is %s', async (_, path) => {
    const search = findChromium({ env: { CHROMIUM_PATH: path }, strategies: [finds('/elsewhere')] })
    await expect(search).rejects.toThrow(`CHROMIUM_PATH is ${path}, which is not an executable file: correct it or unset it`)
  })

  it('takes the first strategy that finds one', async () => {
    const found = await findChromium({ env: {}, strategies: [fails('first', 'none there'), finds('/second'), finds('/third')] })
    expect(found).toEqual({ executablePath: '/second', env: {} })
  })

  it('says what was tried and what to run when nothing is found', async () => {
    const search = findChromium({ env: {}, strategies: [fails('caches', 'none there'), fails('apt', 'not root')] })
    await expect(search).rejects.toThrow(
      [
        'No Chromium for the browser tests. Tried:',
        '  - CHROMIUM_PATH: not set',
        '  - caches: none there',
        '  - apt: not root',
        'Run `sudo apt-get install chromium`, or set CHROMIUM_PATH to the executable of a Chromium or Chrome.',
      ].join('\n'),
    )
  })

  it.runIf(process.platform === 'linux')('says why a browser on PATH does not start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chromium-test-'))
    const stub = join(folder, 'chromium-browser')
    try {
      await writeFile(stub, '#!/bin/sh\necho "requires the chromium snap" >&2\nexit 1\n', { mode: 0o755 })
      const search = findChromium({ env: { PATH: folder }, strategies: strategies.slice(0, 1) })
      await expect(search).rejects.toThrow(`${stub} does not start (requires the chromium snap)`)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('the browser found', () => {
  it('runs a page, with our arguments and those of the caller', async () => {
    const browser = await launchChromium({ args: ['--user-agent=player'] })
    try {
      const page = await browser.newPage()
      expect(await page.evaluate(() => [1 + 1, navigator.userAgent, typeof indexedDB])).toEqual([2, 'player', 'object'])
    } finally {
      await browser.close()
    }
  })

  it('is given as a command to spawn', async () => {
    const { executablePath, args, env } = await chromiumCommand()
    expect(executablePath).not.toBe('')
    expect(args).toContain('--no-sandbox')
    expect(env.PATH).toBe(process.env.PATH)
  })
})
