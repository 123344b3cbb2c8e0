// Every code block of the README and the guides runs, against a sandbox and the built package, as a reader would run it.

import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../src/sandbox/index.ts'

const root = new URL('../', import.meta.url)
const pages = ['README.md', ...readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`)].filter((name) => name.endsWith('.md'))
const textOf = (page: string) => readFileSync(new URL(page, root), 'utf8')
const blocks = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^```(\w*)\n(.*?)^```/gms)].map(([, language = '', code = ''], at) => ({ page, at: at + 1, language, code })),
)
const { scripts, bin } = JSON.parse(textOf('package.json'))

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

describe('code blocks', () => {
  it('are there', () => expect(blocks.length).toBeGreaterThan(3))

  it.each(blocks.filter(({ language }) => language === 'js'))('$page, block $at runs', async ({ page, at, code }) => {
    const file = fileURLToPath(new URL(`${page.replaceAll('/', '-')}-${at}.mjs`, folder))
    writeFileSync(file, code.replaceAll('http://127.0.0.1:4010', sandbox.url))
    const env = { ...process.env, PLAYER_DATA_SECRET: 'studio-secret', SANDBOX_URL: sandbox.url }
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { env, timeout: 15_000 })
    expect(stderr).toBe('')
    // A comment behind a console.log states what it prints.
    for (const [, printed = ''] of code.matchAll(/console[.]log\([^\n]*\) [/][/] (.*)$/gm)) expect(stdout).toContain(printed)
  })

  it.each(blocks.filter(({ language }) => language === 'sh'))('$page, block $at names commands that exist', ({ code }) => {
    const commands = code.split(/\n|&&/).map((line) => line.replace(/#.*/, '').trim())
    for (const command of commands.filter(Boolean)) {
      const [tool, ...words] = command.split(/\s+/)
      if (tool === 'npx') expect(Object.keys(bin)).toContain(words[0])
      else if (tool === 'npm' && words[0] === 'run') expect(Object.keys(scripts)).toContain(words[1])
      else if (tool === 'npm') expect(['ci', 'start', 'test', 'install', 'i']).toContain(words[0])
      else expect(['curl', 'node'], command).toContain(tool)
    }
  })

  it('are of a kind that some test runs', () => {
    expect(
      blocks.filter(({ language }) => !['js', 'sh'].includes(language)).map(({ page, at, language }) => `${page} ${at} ${language}`),
    ).toEqual([])
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
