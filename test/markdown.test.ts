// Every code block of the README and the guides runs, against a sandbox and the built package, as a reader would run it: here, or where
// its fence says (blocks.ts).

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../src/sandbox/index.ts'
import { createSignature } from '../src/signature.ts'
import { blocks, blocksOf, pages, printsOf, runners, textOf } from './blocks.ts'
import { startProgram } from './program.ts'

const root = new URL('../', import.meta.url)
const plain = blocksOf('plain')
const scripts = plain.filter(({ language }) => language === 'js')
const { scripts: commands, bin } = JSON.parse(textOf('package.json'))
const isServer = (code: string) => /[.]listen[(]|^serve[(]/m.test(code)
const env = () => ({ PLAYER_DATA_SECRET: 'studio-secret', SANDBOX_URL: sandbox.url })

/** Inside the project, so that the package's own name resolves to it. */
const folder = new URL('.cache/markdown/', root)
let sandbox: Sandbox
beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  sandbox = await createSandbox()
})
afterAll(async () => {
  await sandbox?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes a block to a file of its own, with the sandbox's address in place of the usual one. */
function fileOf({ page, at, code }: { page: string; at: number; code: string }): string {
  const file = fileURLToPath(new URL(`${page.replaceAll('/', '-')}-${at}.mjs`, folder))
  writeFileSync(file, code.replaceAll('http://127.0.0.1:4010', sandbox.url))
  return file
}

/** A program that does what a Workers runtime does with such a module: calls its `fetch` with each request and the environment. */
function hostOf(worker: string): string {
  const file = worker.replace(/mjs$/, 'host.mjs')
  const code = `
    import { createServer } from 'node:http'
    import { toNodeListener } from 'player-data-runtime/signing'
    import worker from ${JSON.stringify(worker)}
    createServer(toNodeListener(async (request) => worker.fetch(request, process.env))).listen(process.env.PORT, '127.0.0.1', () =>
      console.log('http://127.0.0.1:' + process.env.PORT + '/player-data/sign'))`
  writeFileSync(file, code)
  return file
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('code blocks', () => {
  it('are there', () => expect(blocks.length).toBeGreaterThan(3))

  it.each(scripts.filter(({ code }) => !isServer(code)))('$page, block $at runs', async (block) => {
    const program = startProgram(process.execPath, [fileOf(block)], { env: env() })
    expect([await program.exit, program.shown.err]).toEqual([0, ''])
    for (const printed of printsOf(block)) expect(program.shown.out).toContain(printed)
  })

  it.each([...scripts.filter(({ code }) => isServer(code)), ...blocksOf('workers')])(
    '$page, block $at serves signatures',
    async (block) => {
      const file = block.runner === 'workers' ? hostOf(fileOf(block)) : fileOf(block)
      const program = startProgram(process.execPath, [file], { env: { ...env(), PORT: String(await freePort()) } })
      try {
        const [url] = await program.printed(/http:\S+/)
        const ask = (authorization: string, deviceId: string) =>
          fetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization },
            body: JSON.stringify({ apiKey: 'studio-key', deviceId }),
          })
        const signed = await ask('Bearer own-login-token', 'device-1')
        const { timestamp, signature } = (await signed.json()) as { timestamp: string; signature: string }
        expect(signature).toBe(await createSignature('studio-secret', { apiKey: 'studio-key', deviceId: 'device-1', timestamp }))
        expect((await ask('Bearer own-login-token', 'device-2')).status).toBe(403)
        expect((await ask('Bearer stranger', 'device-1')).status).toBe(403)
      } finally {
        program.kill()
      }
    },
  )

  it.each(plain.filter(({ language }) => language === 'ts'))(
    '$page, block $at type-checks against the built package',
    { timeout: 60_000 },
    async (block) => {
      const file = fileOf(block).replace(/mjs$/, 'mts')
      writeFileSync(file, block.code)
      const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root))
      const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom']
      const program = startProgram(process.execPath, [tsc, ...flags, file])
      expect([await program.exit, program.shown.out]).toEqual([0, ''])
    },
  )

  it.each(plain.filter(({ language }) => language === 'sh'))('$page, block $at names commands that exist', ({ code }) => {
    const lines = code.split(/\n|&&/).map((line) => line.replace(/#.*/, '').trim())
    for (const command of lines.filter(Boolean)) {
      const [tool, ...words] = command.split(/\s+/)
      if (tool === 'npx') expect(Object.keys(bin)).toContain(words[0])
      else if (tool === 'npm' && words[0] === 'run') expect(Object.keys(commands)).toContain(words[1])
      else if (tool === 'npm') expect(['ci', 'start', 'test', 'install', 'i', 'pack']).toContain(words[0])
      else expect(['curl', 'node'], command).toContain(tool)
    }
  })

  it('are of a kind that some test runs', () => {
    const isKnown = ({ runner, language }: (typeof blocks)[number]) => (runners[runner] as string[] | undefined)?.includes(language)
    expect(
      blocks.filter((block) => !isKnown(block)).map(({ page, at, language, runner }) => `${page} ${at} ${language} ${runner}`),
    ).toEqual([])
  })

  it.each(blocksOf('shown'))('$page says that block $at is shown and not run', ({ page }) => {
    expect(textOf(page)).toContain('shown, not run')
  })

  it('are fenced in pairs', () => {
    for (const page of pages)
      expect(textOf(page).match(/^```/gm) ?? [], page).toHaveLength(2 * blocks.filter((block) => block.page === page).length)
  })
})

describe('links', () => {
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => ({ page, target })),
  )
  it.each(links.filter(({ target }) => !/^https?:/.test(target)))('$page to $target', ({ page, target }) => {
    expect(() => readFileSync(new URL(target, new URL(page, root)))).not.toThrow()
  })
})

describe('the README', () => {
  it('lists every error code', () => {
    const [, union = ''] = /export type ErrorCode = (.*)/.exec(textOf('src/error.ts')) ?? []
    const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code)
    const listed = [...textOf('README.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code)
    expect(codes.length).toBeGreaterThan(5)
    expect(listed).toEqual(codes)
  })
})
