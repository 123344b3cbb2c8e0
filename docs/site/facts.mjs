// The numbers on the home page, taken from the files that hold them.

import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

const files = [
  ['player-data.js', 'every host, and development'],
  ['player-data.web.js', 'web pages in production'],
  ['player-data.mjs', 'bundlers, which leave out what a game does not import'],
  ['player-data.inspector.js', 'an overlay for development, loaded when you want it'],
]

/** What a game downloads. @param {URL} dist @returns {{ file: string, bytes: number, use: string }[]} gzip bytes, level 9 */
export function sizesOf(dist) {
  return files
    .filter(([file]) => existsSync(new URL(file, dist)))
    .map(([file, use]) => ({ file, use, bytes: gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length }))
}

/**
 * The table of docs/hosts.md, between its markers.
 * @param {string} markdown
 * @returns {{ steps: string[], hosts: { name: string, done: boolean[], what: string }[] }}
 */
export function hostsOf(markdown) {
  const [, table] = /<!-- table[^\n]*-->\n(.*)<!-- end of table -->/s.exec(markdown) ?? []
  if (!table) throw new Error('docs/hosts.md has lost the markers of its table: <!-- table … --> and <!-- end of table -->')
  const [[, ...titles], , ...rows] = rowsOf(table)
  return {
    steps: titles.slice(0, -1),
    hosts: rows.map(([name, ...cells]) => ({ name, done: cells.slice(0, -1).map((cell) => cell === 'yes'), what: cells.at(-1) })),
  }
}

/**
 * How many events of how many arrive after the browser is killed 50 ms behind the last call, from the table of docs/benchmarks.md.
 * @param {string} markdown
 */
export function killedOf(markdown) {
  const row = rowsOf(markdown).find(([name]) => /^of [\d ]+, arrived after SIGKILL at 50 ms$/.test(name))
  if (!row) throw new Error('docs/benchmarks.md has lost its row "of N, arrived after SIGKILL at 50 ms", which the home page shows')
  const tracked = Number(/^of ([\d ]+),/.exec(row[0])[1].replaceAll(' ', ''))
  return { tracked, arrived: Number(row[1].replaceAll(' ', '')) }
}

/** 18143 as 18 143, on one line. @param {number} number */
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, '\u00a0')

function rowsOf(markdown) {
  return [...markdown.matchAll(/^[|](.*)[|]$/gm)].map(([, row]) => row.split('|').map((cell) => cell.trim()))
}
