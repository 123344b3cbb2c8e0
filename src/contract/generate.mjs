// Writes generated/ from openapi.yaml: `npm run generate`.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { parse } from 'yaml'

const root = new URL('../../', import.meta.url)
const header = 'Generated from openapi.yaml by `npm run generate`. Do not edit.'

/** The text of every file of generated/, by name. */
export async function generate() {
  const exact = readFileSync(new URL('openapi.yaml', root), 'utf8')
  const compat = bundleCompat()
  return {
    'openapi.ts': `// ${header}\n\n${astToString(await openapiTS(exact, { alphabetize: false }))}`,
    'openapi.json': toJson(exact),
    'openapi.compat.yaml': `# ${header}\n# The edition for code generators: OpenAPI 3.0.3 without unions.\n${compat}`,
    'openapi.compat.json': toJson(compat),
  }
}

function toJson(yaml) {
  return `${JSON.stringify({ 'x-generated': header, ...parse(yaml) }, null, 2)}\n`
}

function bundleCompat() {
  const folder = mkdtempSync(join(tmpdir(), 'player-data-'))
  try {
    const output = join(folder, 'openapi.yaml')
    const redocly = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', root))
    execFileSync(process.execPath, [redocly, 'bundle', 'compat', '--output', output], {
      cwd: fileURLToPath(root),
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    return readFileSync(output, 'utf8')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(await generate())) writeFileSync(new URL(`generated/${name}`, root), text)
}
