// docs/hosts.md names the hosts that the suite has: no more, no less.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { marks, page } from './table.ts'

const folder = new URL('./', import.meta.url)
const runners = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => /^(heavy[\\/])?[\w-]+[.]test[.]ts$/.test(name))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
  .filter(({ text }) => /^walkJourney[(]/m.test(text))
const hostsOf = (text: string) => [...text.matchAll(/^walkJourney\(\s*(?:\w+\()?\{\s+name: '(.*?)',$/gm)].map(([, name = '']) => name)

it.each(runners)('$name names its hosts in plain text', ({ text }) => {
  expect(hostsOf(text)).toHaveLength([...text.matchAll(/^walkJourney[(]/gm)].length)
})

it('docs/hosts.md has a row for every host', () => {
  const table = readFileSync(page, 'utf8').split(marks[0])[1] ?? ''
  const rows = table.split('\n').filter((line) => line.startsWith('| '))
  const written = rows.slice(2).map((line) => line.slice(2, line.indexOf(' | ')))
  const hosts = runners.flatMap(({ text }) => hostsOf(text))
  expect(hosts.length).toBeGreaterThan(1)
  expect(written, 'run `WRITE=1 npm run test:hosts`').toEqual(hosts.sort())
})
