// From samples to the one table: a line per measure, a column per row. A cell is the median of its samples.

import { burst } from './kill.mjs'
import { events } from './measure.mjs'
import { median } from './median.mjs'
import { eventOf } from './peers/event.js'

const ownBytes = JSON.stringify(eventOf('ad-a0000000')).length

/** 12 345, 123, 12.3, 1.23 */
function format(number) {
  const size = Math.abs(number)
  const digits = size >= 100 || Number.isInteger(number) ? 0 : size >= 10 ? 1 : 2
  return number.toFixed(digits).replace(/\B(?=(\d{3})+$)/g, digits ? '' : ' ')
}

/** The median of a member over the samples that have it. */
const of = (samples = [], key) => {
  const numbers = samples.map((sample) => sample[key]).filter((value) => value !== undefined)
  return numbers.length ? median(numbers) : undefined
}
const noteOf = (samples = []) => samples.find(({ note }) => note)?.note

/** A number, `>=` where the row did not get through, or why there is none. */
function show(samples, key, scale = 1) {
  if (!samples?.length) return '-'
  const value = of(samples, key)
  const isBound = noteOf(samples) !== undefined
  if (value === undefined) return isBound ? 'not done' : '-'
  return `${isBound ? '>= ' : ''}${format(value * scale)}`
}

/**
 * @param {object} results what run.mjs gathers, by row
 * @param {{ levels: number[], delays: number[] }} plan
 */
export function createLines(results, { levels, delays }) {
  const names = Object.keys(results)
  const line = (label, cell) => [label, ...names.map((name) => cell(results[name]))]
  const floor = of(results['ref-indexeddb']?.delivery, 'mainUs')
  const label = (level) => format(level)
  return [
    ['', ...names.map((name) => [name, results[name].version].filter(Boolean).join(' '))],
    line('bundle, bytes gzip', ({ gzipBytes }) => format(gzipBytes)),
    line('script evaluation, CPU ms', ({ evaluation }) => (evaluation.length ? format(Math.max(0, median(evaluation)) / 1000) : '-')),
    line(`main-thread CPU until delivered, us per event`, ({ delivery }) => show(delivery, 'mainUs')),
    line('... against ref-indexeddb', ({ delivery }) => (floor ? show(delivery, 'mainUs', 1 / floor) : '-')),
    line('... the whole browser, us per event', ({ delivery }) => show(delivery, 'browserUs')),
    ...levels.map((level) => line(`track, ${label(level)} waiting, CPU us per call`, ({ waiting }) => show(waiting[level], 'callUs'))),
    ...levels.map((level) => line(`... with what it sets off, ${label(level)} waiting`, ({ waiting }) => show(waiting[level], 'totalUs'))),
    ...levels.slice(1).map((level) => line(`... ${label(level)} waiting against none`, ({ waiting }) => show(waiting[level], 'ratio'))),
    ...levels
      .filter((level) => level === 10_000 || level === 1000)
      .map((level) => line(`heap with ${label(level)} waiting, KB`, ({ waiting }) => heap(waiting[level]))),
    line('10 events a frame: tasks over 50 ms', ({ frames }) => show(frames, 'longTasks')),
    line('... worst frame, ms', ({ frames }) => show(frames, 'worstMs')),
    line("bytes on the wire against the events' own JSON", ({ delivery }) =>
      traffic(delivery, ({ wireBytes, delivered }) => wireBytes / delivered / ownBytes),
    ),
    line(`requests for ${label(events)} events`, ({ delivery }) =>
      traffic(delivery, ({ requests, delivered }) => (requests / delivered) * events),
    ),
    line('... and CORS preflights', ({ delivery }) => traffic(delivery, ({ preflights }) => preflights)),
    ...delays.map((delay) =>
      line(`of ${label(burst)}, arrived after SIGKILL at ${label(delay)} ms`, ({ kills }) => survivors(kills[delay])),
    ),
  ]
}

/** What was measured on a queue that could not be filled says nothing. */
const heap = (samples) =>
  noteOf(samples) && of(samples, 'heapBytes') === undefined ? 'not done' : show(samples, 'heapBytes', 1 / 1024).replace('>= ', '')

/** Of those that arrived, be they all or not. */
function traffic(samples = [], figure) {
  const values = samples.filter(({ delivered }) => delivered >= 100).map(figure)
  return values.length ? format(median(values)) : '-'
}

/** The worst of the samples, and its copies. */
function survivors(samples = []) {
  const counted = samples.filter(({ arrived }) => arrived !== undefined)
  if (counted.length === 0) return noteOf(samples) ? 'not done' : '-'
  const worst = Math.min(...counted.map(({ arrived }) => arrived))
  const copies = Math.max(...counted.map((sample) => sample.copies))
  return `${format(worst)}${copies ? ` (+${format(copies)} twice)` : ''}`
}

/** What stands behind each `>=` and `not done`. */
export function createNotes(results) {
  return Object.entries(results).flatMap(([name, { delivery, waiting, frames, kills }]) => {
    const said = [
      ['delivery', delivery],
      ...Object.entries(waiting).map(([level, samples]) => [`${format(Number(level))} waiting`, samples]),
      ['frames', frames],
      ...Object.entries(kills).map(([delay, samples]) => [`SIGKILL at ${format(Number(delay))} ms`, samples]),
    ]
    return said.flatMap(([what, samples]) => (noteOf(samples) ? [`${name}, ${what}: ${noteOf(samples)}`] : []))
  })
}

export function createMarkdown(lines) {
  const [head, ...rest] = lines
  const row = (cells) => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map((_, index) => (index ? '---:' : '---'))), ...rest.map(row)].join('\n')
}

/** The same, aligned for a terminal. */
export function createText(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines
    .map((line) => line.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))).join('  '))
    .join('\n')
}
