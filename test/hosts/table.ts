// The table of the conformance suite, host by step: a reporter that `npm run test:hosts` adds. It prints what ran; with WRITE=1 set, and
// all of the suite there, it also replaces the table of docs/hosts.md.

import { readFileSync, writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

export const page = new URL('../../docs/hosts.md', import.meta.url)
export const marks = ['<!-- table: written by `WRITE=1 npm run test:hosts` -->', '<!-- end of table -->'] as const

interface Row {
  host: string
  is: string
  /** How each step ended, by its name. */
  steps: Map<string, string>
}

const words = { passed: 'yes', failed: '**no**', skipped: 'not run', pending: 'not run' }

export default class HostTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = rowsOf(modules)
    if (rows.length === 0) return
    const table = createTable(rows)
    console.log(`\n${table}\n`)
    const broken = modules.filter((module) => module.errors().length > 0).map((module) => module.relativeModuleId)
    if (broken.length > 0) console.log(`Not in the table, for they did not load: ${broken.join(', ')}\n`)
    else if (process.env.WRITE === '1') writeFileSync(page, withTable(readFileSync(page, 'utf8'), table))
  }
}

function rowsOf(modules: readonly TestModule[]): Row[] {
  const rows = modules.flatMap((module) =>
    [...module.children.allSuites()].flatMap((suite) => {
      const { host, is } = suite.meta()
      if (host === undefined || is === undefined) return []
      return [{ host, is, steps: new Map([...suite.children.tests()].map((test) => [test.name, words[test.result().state]])) }]
    }),
  )
  return rows.sort((one, other) => one.host.localeCompare(other.host, 'en'))
}

function createTable(rows: Row[]): string {
  const steps = [...new Set(rows.flatMap((row) => [...row.steps.keys()]))]
  const lines = [
    ['host', ...steps, 'what it is'],
    ['---', ...steps.map(() => ':-:'), '---'],
    ...rows.map((row) => [row.host, ...steps.map((step) => row.steps.get(step) ?? 'not run'), row.is]),
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The page with another table between its marks. */
function withTable(text: string, table: string): string {
  const [before, after] = marks.map((mark) => text.indexOf(mark)) as [number, number]
  if (before < 0 || after < before) throw new Error(`docs/hosts.md has lost its marks: ${marks.join(' and ')}`)
  return `${text.slice(0, before + marks[0].length)}\n\n${table}\n\n${text.slice(after)}`
}
