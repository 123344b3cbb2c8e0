// The rules of redocly.yaml do catch what they are there for: each is shown a contract with one mistake planted.

import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const contract = readFileSync(join(root, 'openapi.yaml'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'player-data-lint-'))
mkdirSync(join(folder, 'src/contract'), { recursive: true })
for (const file of ['redocly.yaml', 'src/contract/compat.js', 'package.json']) copyFileSync(join(root, file), join(folder, file))
afterAll(() => rmSync(folder, { recursive: true }))

/** The rules that a contract breaks, by name. */
function lint(text: string): Promise<string[]> {
  writeFileSync(join(folder, 'openapi.yaml'), text)
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', 'exact', '--format', 'json'],
      { cwd: folder, env, maxBuffer: 1e8 },
      (_, stdout) => {
        const { problems } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { problems: { ruleId: string }[] }
        resolve([...new Set(problems.map(({ ruleId }) => ruleId))])
      },
    )
  })
}

const MISTAKES: [rule: string, from: string, to: string][] = [
  ['rule/property-description', '          description: Display name.\n', ''],
  [
    'rule/no-date-time-format',
    "          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$'",
    '          format: date-time',
  ],
  ['rule/integer-format', '          format: int64\n', ''],
  ['rule/number-format', '          format: double\n', ''],
  ['rule/no-status-range', "        '204':", "        '2XX':"],
  ['no-invalid-media-type-examples', '        expiresIn: 900000\n', '        expiresIn: soon\n'],
  ['no-unresolved-refs', "'#/components/schemas/StatusFlag'", "'#/components/schemas/StatusFlg'"],
  [
    'operation-description',
    '      description: |\n        The reply is the StoreConfig object itself.',
    '      x-text: |\n        The reply',
  ],
  ['scalar-property-missing-example', '          example: Bearer\n', ''],
]

describe('lint', () => {
  it('finds nothing in the contract', async () => {
    expect(await lint(contract)).toEqual([])
  })

  it.each(MISTAKES)('%s', async (rule, from, to) => {
    expect(contract).toContain(from)
    expect(await lint(contract.replace(from, to))).toContain(rule)
  })
})
