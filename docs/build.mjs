// Writes the site to dist/site/: `npm run docs`. Static files that work from any folder of any server, without internet.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)
const site = new URL('dist/site/', root)
const path = (relative, base = root) => fileURLToPath(new URL(relative, base))

mkdirSync(site, { recursive: true })
for (const file of ['index.html', 'start.js', 'style.css']) cpSync(path(`docs/site/${file}`), path(file, site))
for (const file of ['dist/player-data.js', 'openapi.yaml', 'generated/openapi.compat.yaml'])
  cpSync(path(file), path(file.split('/').pop(), site))

execFileSync(
  process.execPath,
  [
    path('node_modules/@redocly/cli/bin/cli.js'),
    ...['build-docs', 'exact', '--inlineBundle', '--template', path('docs/site/api.hbs'), '--title', 'Player Data Service: API reference'],
    ...['--output', path('api/index.html', site)],
  ],
  {
    cwd: path('.'),
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: ['ignore', 'ignore', 'ignore'],
  },
)

// The one thing the page would fetch from elsewhere is the badge's logo: write the name instead.
const reference = path('api/index.html', site)
const badge =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='52' height='16'%3E%3Ctext y='12' font-family='sans-serif' font-size='12' fill='%230044d4'%3ERedocly%3C/text%3E%3C/svg%3E"
writeFileSync(reference, readFileSync(reference, 'utf8').replaceAll(/https:\/\/cdn[.]redoc[.]ly\/redoc\/logo-mini[a-z-]*[.]svg/g, badge))
