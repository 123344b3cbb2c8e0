// Writes the site to dist/site/: `npm run docs`. Static files that work from any folder of any server, without internet.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import MiniSearch from 'minisearch'
import { parse } from 'yaml'
import { hostsOf, killedOf, sizesOf } from './site/facts.mjs'
import { highlight } from './site/highlight.mjs'
import { home } from './site/home.mjs'
import { layOut, mark } from './site/layout.mjs'
import { renderMarkdown } from './site/markdown.mjs'
import { groups } from './site/pages.mjs'
import { inlinePicture } from './site/picture.mjs'
import { settings } from './site/search.mjs'

console.log('Writing the site to dist/site/')

const root = new URL('../', import.meta.url)
const site = new URL('dist/site/', root)
const path = (relative, base = root) => fileURLToPath(new URL(relative, base))
const read = (file) => readFileSync(new URL(file, root), 'utf8')
const write = (file, text) => {
  mkdirSync(dirname(path(file, site)), { recursive: true })
  writeFileSync(path(file, site), text)
}
const copy = (from, to) => cpSync(path(from), path(to, site), { recursive: true })
const { version } = JSON.parse(read('package.json'))

const listed = groups.flatMap(({ pages }) => pages)
const strays = readdirSync(path('docs/'))
  .filter((name) => name.endsWith('.md') && !listed.some(({ source }) => source === `docs/${name}`))
  .map((name) => `docs/${name}`)
if (strays.length > 0) throw new Error(`docs/site/pages.mjs lacks ${strays.join(', ')}: give each a place in the navigation.`)

const missing = listed.flatMap(({ source }) => (source && !existsSync(path(source)) ? [source] : []))
if (missing.length > 0) throw new Error(`docs/site/pages.mjs lists what is not there: ${missing.join(', ')}`)

/** In place of the logo of Redocly. */
const badge =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='52' height='16'%3E%3Ctext y='12' font-family='sans-serif' font-size='12' fill='%230044d4'%3ERedocly%3C/text%3E%3C/svg%3E"

rmSync(site, { recursive: true, force: true })

const frame = { version, groups }

/** Files of the repository that pages link to, by their path in it; each gets a page that shows it. */
const shown = new Set(['LICENSE'])
const sheets = new Map()
const entries = []

for (const { source, href } of listed) {
  if (!source) continue
  const rendered = await renderMarkdown(read(source), {
    link: (to) => addressOf(source, to),
    picture: (src, alt) => pictureOf(source, src, alt),
  })
  const { html, title, description, headings, sections } = rendered
  write(href, layOut({ href, title, description, headings, body: html }, frame))
  for (const { id, heading, text } of sections) entries.push({ href: id ? `${href}#${id}` : href, title, heading, text })
}

write('index.html', await homePage())
write('try.html', await tryPage())
for (const file of shown) await showFile(file)
write('pictures.css', [...sheets.values()].join('\n'))
write(
  'icon.svg',
  mark
    .replace('<svg class="mark"', '<svg xmlns="http://www.w3.org/2000/svg"')
    .replace('<rect', '<rect fill="#0a7d55"')
    .replace('<path', '<path fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"'),
)
write('search-index.js', `window.playerDataSearch = ${JSON.stringify(searchIndex())}`)
// A static server has no sandbox; `npm start` answers this address by itself.
write('sandbox.json', '{ "url": null }\n')

await build({
  entryPoints: ['site.js', 'theme.js', 'try.js', 'style.css'].map((name) => path(`docs/site/web/${name}`)),
  outdir: path('.', site),
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  logLevel: 'warning',
})
for (const file of ['dist/player-data.js', 'openapi.yaml', 'generated/openapi.compat.yaml']) copy(file, basename(file))
copy('docs/pictures/', 'pictures/')
copy('docs/demo/', 'demo/')
for (const file of ['player-data.js', 'player-data.inspector.js']) copy(`dist/${file}`, `demo/${file}`)
buildReference()

/** Where a link of a Markdown file leads on the site. */
function addressOf(source, link) {
  const [, target, hash = ''] = /^([^#]*)(#.*)?$/.exec(link)
  if (!target) return hash
  const file = posix.join(dirname(source), target)
  const page = listed.find((one) => one.source === file)
  if (page) return `${page.href}${hash}`
  if (file === 'docs/demo' || file.startsWith('docs/demo/')) return posix.join('demo', posix.relative('docs/demo', file))
  if (!existsSync(path(file)) || !statSync(path(file)).isFile()) throw new Error(`${source} links to ${link}, and there is no such file.`)
  shown.add(file)
  return `files/${file}.html${hash}`
}

function pictureOf(source, src, alt) {
  const file = posix.join(dirname(source), src)
  if (!existsSync(path(file))) throw new Error(`${source} shows ${src}, and there is no such picture.`)
  if (extname(file) !== '.svg') return `<img src="${posix.relative('docs', file)}" alt="${alt}" loading="lazy">`
  const { html, css } = inlinePicture(file, read(file), alt)
  sheets.set(file, css)
  return html
}

/** A page around a file of the repository, which a browser would else download or show as bare text. */
async function showFile(file) {
  const language = { '.ts': 'ts', '.js': 'js', '.mjs': 'js', '.json': 'json', '.yaml': 'yaml', '.cs': 'csharp' }[extname(file)] ?? 'text'
  const name = basename(file)
  const code = await highlight(read(file), language)
  const body = `<h1 class="path">${file}</h1>\n<p><a href="${name}" download>Download</a></p>\n${code}`
  write(
    `files/${file}.html`,
    layOut({ href: `files/${file}.html`, title: file, description: `The file ${file} of the project.`, body }, frame),
  )
  copy(file, `files/${file}`)
}

async function homePage() {
  const facts = {
    sizes: sizesOf(new URL('dist/', root)),
    hosts: hostsOf(read('docs/hosts.md')),
    killed: killedOf(read('docs/benchmarks.md')),
    code: await highlight(firstProgram(), 'js'),
  }
  const description =
    'One file that logs your players in, knows who pays, shows each their own store, and loses no event silently, in every engine.'
  return layOut({ href: 'index.html', kind: 'home', title: 'Player Data Runtime', description, body: home(facts) }, frame)
}

/** The README's own, which a test runs. */
function firstProgram() {
  const [, program] = /^```js\n(.*?)^```$/ms.exec(read('README.md'))
  return program
}

async function tryPage() {
  const body = `${read('docs/site/try.html')}${await highlight(firstProgram(), 'js')}`
  const description = 'The shipped file against a sandbox on your own machine: a player who is logged in, with status and store.'
  const connect = "'self' http://127.0.0.1:* http://localhost:*"
  return layOut({ href: 'try.html', title: 'A player, live', description, body, connect, scripts: ['player-data.js', 'try.js'] }, frame)
}

function searchIndex() {
  const methods = ['get', 'put', 'post', 'delete', 'patch']
  for (const [url, item] of Object.entries(parse(read('openapi.yaml')).paths)) {
    for (const [method, operation] of Object.entries(item).filter(([name]) => methods.includes(name))) {
      const { operationId, summary, description, tags } = operation
      const heading = `${method.toUpperCase()} ${url}`
      const href = `api/index.html#/${tags[0]}/${operationId}`.toLowerCase()
      entries.push({ href, title: 'API reference', heading, text: `${summary}. ${description}`.replace(/\s+/g, ' ') })
    }
  }
  const index = new MiniSearch(settings)
  index.addAll(entries.map((entry, id) => ({ id, ...entry })))
  return index
}

function buildReference() {
  execFileSync(
    process.execPath,
    [
      path('node_modules/@redocly/cli/bin/cli.js'),
      ...[
        'build-docs',
        'exact',
        '--inlineBundle',
        '--template',
        path('docs/site/api.hbs'),
        '--title',
        'Player Data Service: API reference',
      ],
      ...['--output', path('api/index.html', site)],
    ],
    {
      cwd: path('.'),
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: ['ignore', 'ignore', 'ignore'],
    },
  )
  const reference = path('api/index.html', site)
  const page = readFileSync(reference, 'utf8')
    // The one thing the page would fetch from elsewhere is the badge's logo: write the name instead.
    .replaceAll(/https:\/\/cdn[.]redoc[.]ly\/redoc\/logo-mini[a-z-]*[.]svg/g, badge)
    // Redoc 3 has other addresses for sections than the links in the contract, which are those that other tools know.
    .replaceAll(/#section[/][\w-]+/g, (link) => link.replace('#section', '#/section').toLowerCase())
  writeFileSync(reference, page)
}
