// A report in the XML form that CI systems read. What the specification leaves open is a passed case with a note.

import type { Line, Report } from './report.ts'

export function createJunit({ statements, counts, message, startedAt, durationMs, baseUrl }: Report): string {
  const cases = message === undefined ? statements.map(caseOf) : [unreachable(message)]
  const totals = {
    name: 'player-data check',
    tests: cases.length,
    failures: counts.fail,
    errors: message === undefined ? 0 : 1,
    skipped: counts.skipped,
    time: seconds(durationMs),
  }
  const suite = { ...totals, timestamp: startedAt.slice(0, 19), hostname: new URL(baseUrl).host }
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites${attributes(totals)}>
  <testsuite${attributes(suite)}>
${cases.join('\n')}
  </testsuite>
</testsuites>
`
}

function caseOf({ id, topic, title, section, result, seen, fix, durationMs }: Line): string {
  const head = `    <testcase${attributes({ classname: topic, name: `${id}: ${title}`, time: seconds(durationMs) })}`
  if (result === 'skipped') return `${head}><skipped${attributes({ message: seen })}/></testcase>`
  if (result === 'unspecified') return `${head}><system-out>${escapeXml(`unspecified: ${seen}`)}</system-out></testcase>`
  if (result === 'pass') return `${head}/>`
  return `${head}><failure${attributes({ type: 'contract', message: seen })}>${escapeXml(`${fix}\nSee: ${section}`)}</failure></testcase>`
}

function unreachable(message: string): string {
  const head = `    <testcase${attributes({ classname: 'Login', name: 'the service can be reached', time: '0' })}`
  return `${head}><error${attributes({ type: 'unreachable', message })}/></testcase>`
}

const seconds = (ms: number) => (ms / 1000).toFixed(3)

const attributes = (values: Record<string, string | number>) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' }
const escapeXml = (text: string) => text.replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? '')
