// What the bytes of the bundle are: `npm run size`, and with `-- --write` into docs/size.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The files of a part, by their names in src/. */
const parts = {
  'events: buffer, lanes, delivery, search for refused ones':
    /^(outbox|events?|delivery|shelf|segment|search|lane|verdict|retry|utf8)[.]ts$/,
  'session: login, renewal, clock, tokens, tabs, profile':
    /^(session|grant|renewal|tokens|profile|device|clock|jwt|lock|tabs|flight)[.]ts$/,
  'face: options and their checks, errors, replies, the typed client':
    /^(player|options|api|reply|transport|error|emitter|index|global|web|id|timers|memory|version)[.]ts$/,
  'browsers: fetch, IndexedDB by idb-keyval, locks, page life':
    /^platform[/](browser|fetch|tabs|lease|device|indexeddb|area|exchange|common|random)[.]ts$|idb-keyval/,
  'other hosts: minigames, Cocos native, XMLHttpRequest': /^platform[/](minigame|cocos|xhr|detect)[.]ts$/,
  'signers: remote, development with HMAC-SHA256': /^(signer|signature|hmac|base64)[.]ts$/,
}

const gzip = (file) => gzipSync(readFileSync(`${root}dist/${file}`), { level: 9 }).length

/** How the compressed bytes spread over the parts: as the minified ones do. */
async function spread(file, entry) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`src/${entry}`],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    target: 'es2017',
    define: { __VERSION__: '"0"' },
    logLevel: 'error',
  })
  const [{ inputs }] = Object.values(metafile.outputs)
  const sums = Object.fromEntries(Object.keys(parts).map((part) => [part, 0]))
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    const part = Object.keys(parts).find((name) => parts[name].test(path.replace(/^src[/]/, '')))
    if (!part) throw new Error(`test/bench/size.mjs does not know which part ${path} belongs to`)
    sums[part] += bytesInOutput
  }
  const all = Object.values(sums).reduce((sum, bytes) => sum + bytes)
  return Object.values(sums).map((bytes) => Math.round((bytes / all) * gzip(file)))
}

const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ' ')
const files = [
  ['player-data.js', 'global.ts'],
  ['player-data.web.js', 'web.ts'],
]
const columns = await Promise.all(files.map(([file, entry]) => spread(file, entry)))
const table = [
  `| bytes, gzip | ${files.map(([file]) => `\`${file}\``).join(' | ')} |`,
  `| --- |${files.map(() => ' ---: |').join('')}`,
  ...Object.keys(parts).map((part, at) => `| ${part} | ${columns.map((column) => number(column[at])).join(' | ')} |`),
  `| **all** | ${files.map(([file]) => `**${number(gzip(file))}**`).join(' | ')} |`,
].join('\n')

if (process.argv.includes('--write')) {
  const page = `${root}docs/size.md`
  const text = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    text.replace(/(<!-- table: .*? -->\n).*?(\n<!-- end of table -->)/s, (_, start, end) => `${start}\n${table}\n${end}`),
  )
}
console.log(table)
