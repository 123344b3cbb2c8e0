// A report for people: aligned, with colour only where asked, and with details only where they matter.

import type { Result } from './finding.ts'
import type { Line, Report } from './report.ts'

const COLOURS: Record<Result, number> = { pass: 32, fail: 31, unspecified: 36, skipped: 33 }
const RESULT_WIDTH = 'unspecified'.length

export function createTable(
  { baseUrl, statements, counts, requests, events, durationMs }: Report,
  { coloured }: { coloured: boolean },
): string {
  const paint = (code: number, text: string) => (coloured ? `\x1b[${code}m${text}\x1b[0m` : text)
  const idWidth = Math.max(...statements.map(({ id }) => id.length))
  const indent = ' '.repeat(2 + RESULT_WIDTH + 2)

  function rowOf({ result, id, title, seen, fix, section }: Line): string[] {
    const row = `  ${paint(COLOURS[result], result.padEnd(RESULT_WIDTH))}  ${id.padEnd(idWidth)}  ${title}`
    if (result === 'pass') return [row]
    if (result !== 'fail') return [row, `${indent}${paint(2, seen)}`]
    return [row, `${indent}seen: ${seen}`, `${indent}fix:  ${fix}`, `${indent}see:  ${section}`]
  }

  const topics = [...new Set(statements.map(({ topic }) => topic))]
  const blocks = topics.flatMap((topic) => ['', paint(1, topic), ...statements.filter((line) => line.topic === topic).flatMap(rowOf)])
  const verdict = counts.fail > 0 ? paint(31, `${counts.fail} failed`) : paint(32, 'none failed')
  const sum = `${counts.pass} passed, ${verdict}, ${counts.unspecified} unspecified, ${counts.skipped} skipped`
  const cost = `${requests} requests, ${events} events, ${(durationMs / 1000).toFixed(1)} s`
  return [`Player Data Service at ${baseUrl}`, ...blocks, '', `${sum} (${cost})`].join('\n')
}
