// `npm run bench`: this runtime beside its peers and two floors, in a real Chromium, one serial run, one table.
//
//   --only NAME,...     these rows (see rows.mjs)
//   --measure NAME,...  of delivery, waiting, frames, kill
//   --quick             one sample of each, no 100 000 waiting
//   --write             docs/benchmarks.md as well
//   --profile           instead: where the CPU of each row goes until its events are delivered
//
// The light rows are sampled three times, interleaved, since on a busy machine their noise is as large as what is measured. A peer's
// figures are many times larger, so it has one sample. About thirteen minutes.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cacheFolder, createBundles } from './bundle.mjs'
import { kill, measureRestart } from './kill.mjs'
import { measureDelivery, measureFrames, measureWaiting } from './measure.mjs'
import { createSite } from './page.mjs'
import { printProfile } from './profile.mjs'
import { describeMachine, writeReport } from './report.mjs'
import { rows as allRows } from './rows.mjs'
import { createLines, createNotes, createText } from './table.mjs'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    measure: { type: 'string' },
    quick: { type: 'boolean' },
    write: { type: 'boolean' },
    profile: { type: 'boolean' },
  },
})
const isWanted = (list, name) => !list || list.split(',').includes(name)
const rows = allRows.filter(({ name }) => isWanted(options.only, name))
const plan = {
  levels: options.quick ? [0, 1000, 10_000] : [0, 1000, 10_000, 100_000],
  delays: options.quick ? [50] : [0, 50, 500, 2000],
  repeats: options.quick ? 1 : 3,
}
/** So many restarts at once. */
const restarts = 18

const startedAt = Date.now()
const bundles = await createBundles(rows, { minify: !options.profile })
const site = await createSite(bundles)
const results = Object.fromEntries(
  rows.map(({ name }) => {
    const { version, gzipBytes } = bundles.get(name)
    return [name, { version, gzipBytes, evaluation: [], delivery: [], waiting: {}, frames: [], kills: {} }]
  }),
)

/** Takes one sample, says it on stderr, and hands it to `keep`. */
async function take(what, { name }, measure, keep) {
  const from = Date.now()
  const { evaluationUs, ...sample } = await measure()
  if (evaluationUs !== undefined) results[name].evaluation.push(evaluationUs)
  keep(sample)
  const rounded = (_key, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value)
  console.error(`${seconds(startedAt)} ${what}, ${name} (${seconds(from)}): ${JSON.stringify(sample, rounded)}`)
}
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`

/** The measures in turn, each for all rows in turn, the whole as often as the plan says. */
async function measureAll() {
  const measures = {
    delivery: (row) =>
      take(
        'delivery',
        row,
        () => measureDelivery(site, row, { limitMs: 15_000 }),
        (sample) => results[row.name].delivery.push(sample),
      ),
    waiting: (row) => {
      const limitMsOf = (level) => (row.peer ? (level > 1000 ? 6000 : 20_000) : 30_000)
      const levels = row.peer ? plan.levels.filter((level) => level <= 10_000) : plan.levels
      const keep = ({ samples = {}, note }) => {
        for (const [level, sample] of Object.entries(note ? { 0: { note } } : samples)) keepAt(row.name, 'waiting', level, sample)
      }
      return take('waiting', row, () => measureWaiting(site, row, { levels, limitMsOf }), keep)
    },
    frames: (row) =>
      take(
        'frames',
        row,
        () => measureFrames(site, row, { durationMs: 5000 }),
        (sample) => results[row.name].frames.push(sample),
      ),
  }
  for (let turn = 0; turn < plan.repeats; turn += 1) {
    for (const [name, measure] of Object.entries(measures)) {
      if (!isWanted(options.measure, name)) continue
      for (const row of rows) if (turn < (row.samples ?? 1)) await measure(row)
    }
  }
  if (isWanted(options.measure, 'kill')) await measureKills()
}

function keepAt(name, group, key, sample) {
  results[name][group][key] ??= []
  results[name][group][key].push(sample)
}

async function measureKills() {
  const planned = plan.delays.flatMap((delayMs) =>
    rows.flatMap((row) => Array(Math.min(plan.repeats, row.kills ?? 1)).fill({ row, delayMs })),
  )
  for (let from = 0; from < planned.length; from += restarts) {
    const killed = []
    for (const { row, delayMs } of planned.slice(from, from + restarts)) killed.push(await kill(site, row, delayMs))
    const restarted = killed.map((one) => {
      const keep = (sample) => keepAt(one.row.name, 'kills', one.delayMs, sample)
      return take(`SIGKILL at ${one.delayMs} ms`, one.row, () => measureRestart(site, one), keep)
    })
    await Promise.all(restarted)
  }
}

if (options.profile) {
  for (const row of rows) await printProfile(site, row)
} else {
  await measureAll()
  const machine = await describeMachine()
  const lines = createLines(results, plan)
  const notes = createNotes(results)
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(join(cacheFolder, 'results.json'), `${JSON.stringify({ machine, plan, results }, null, 2)}\n`)
  if (options.write) writeReport({ machine, lines, notes })
  console.log(`${createText(lines)}\n\n${notes.join('\n')}\n\n${machine}; ${seconds(startedAt)}`)
}
site.close()
