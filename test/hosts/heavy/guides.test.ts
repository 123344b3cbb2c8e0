// The code of the engine guides, run as their readers would: in the real engine, against a sandbox.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts'
import { type Block, blocksOf, printsOf } from '../../blocks.ts'
import { createBundleSite } from '../../page.ts'
import { startProgram } from '../../program.ts'
import { bundleGame, installEngines, launchWithWebGl } from '../engines.ts'

beforeAll(installEngines, 180_000)

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await createSandbox({ strict: true })
})
afterEach(() => sandbox.close())

const codeOf = ({ code }: Block) => code.replaceAll('http://127.0.0.1:4010', sandbox.url)

function expectPlayed(block: Block, printed: string): void {
  expect(printsOf(block).length).toBeGreaterThan(0)
  for (const line of printsOf(block)) expect(printed).toContain(line)
  expect(sandbox.stats().operations.authLogin?.succeeded).toBe(1)
  expect(sandbox.events().length).toBeGreaterThan(0)
  expect(sandbox.breaches()).toEqual([])
}

describe('in a page', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchWithWebGl()
  })
  afterAll(() => browser?.close())

  it.each(blocksOf('phaser', 'pixi', 'playcanvas', 'babylon'))('$page, block $at', { timeout: 60_000 }, async (block) => {
    const script = await bundleGame(codeOf(block))
    const site = await createBundleSite()
    const context = await browser.newContext()
    try {
      const page = await site.open(context)
      let printed = ''
      page.on('console', (message) => {
        printed += `${message.text()}\n`
      })
      await page.addScriptTag({ content: script, type: 'module' })
      await vi.waitFor(() => expectPlayed(block, printed), { timeout: 20_000, interval: 50 })
      expect(site.problems).toEqual([])
    } finally {
      await context.close()
      await site.close()
    }
  })
})

describe('in Node', () => {
  it.each(blocksOf('babylon-node'))('$page, block $at', { timeout: 60_000 }, async (block) => {
    const folder = await mkdtemp(join(tmpdir(), 'player-data-guide-'))
    try {
      // As text, so that it finds the engines; and its folder out of theirs.
      const code = codeOf(block).replace('./player-data', folder)
      const program = startProgram(process.execPath, ['--input-type=module', '-e', code], { cwd: await installEngines() })
      expect([await program.exit, program.shown.err]).toEqual([0, ''])
      expectPlayed(block, program.shown.out)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
