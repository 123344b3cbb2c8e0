// docs/hosts.md names the hosts that the suite has: no more, no less.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { marks, page } from './hosts/table.ts'
import { startProgram } from './program.ts'

const root = new URL('../', import.meta.url)

it('docs/hosts.md has a row for every host', { timeout: 120_000 }, async () => {
  const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', root))
  // Only the files are loaded, and nothing of them runs: one process for all will do.
  const args = [vitest, 'list', 'test/hosts', '--json', '--no-file-parallelism', '--no-isolate']
  const listing = startProgram(process.execPath, args, { cwd: fileURLToPath(root), env: { HOSTS: 'all' } })
  expect(await listing.exit, listing.shown.err).toBe(0)
  const tests: { name: string }[] = JSON.parse(listing.shown.out.slice(listing.shown.out.indexOf('[\n')))
  const hosts = tests.flatMap(({ name }) => /^host (.*) > login$/.exec(name)?.[1] ?? [])

  const table = readFileSync(page, 'utf8').split(marks[0])[1] ?? ''
  const rows = table.split('\n').filter((line) => line.startsWith('| '))
  const written = rows.slice(2).map((line) => line.slice(2, line.indexOf(' | ')))
  expect(hosts.length).toBeGreaterThan(1)
  expect(written.sort(), 'run `WRITE=1 npm run test:hosts`').toEqual(hosts.sort())
})
