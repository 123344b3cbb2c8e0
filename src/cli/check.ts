// `player-data check`: proves a running service against the contract, statement by statement.

import { closeSync, openSync, writeFileSync } from 'node:fs'
import { readAddress } from './address.ts'
import { createJunit } from './check/junit.ts'
import { createReport } from './check/report.ts'
import { createTable } from './check/table.ts'
import { MARK } from './check/visit.ts'
import { type Command, readFlags, readNumber, readText, UsageError } from './command.ts'
import { readSecret, refuseSecretFlag, withoutStrayArguments } from './secret.ts'

const DEFAULT_TIMEOUT_MS = 10_000
/** Of no real page, so that a service which lets in certain pages alone is found out. */
const DEFAULT_ORIGIN = 'https://game.example'

const EXIT_CODES = { pass: 0, fail: 1, unreachable: 3 }

const help = `Usage: player-data check --base-url URL --api-key KEY [flags]

Proves a running Player Data Service against the contract: some forty requests, a few events that are marked as ${MARK}.
The secret comes from the environment variable PLAYER_DATA_SECRET or from standard input.

  --base-url URL         the address in front of /auth/login
  --api-key KEY          the API key that the secret belongs to
  --device-id ID         the device that logs in, ${MARK}
  --origin URL           the page that a browser asks for, ${DEFAULT_ORIGIN}
  --no-cors              leave out what only games in browsers need
  --timeout MS           for each request, ${DEFAULT_TIMEOUT_MS}
  --json                 the whole report as JSON
  --junit FILE           also write the report for CI systems
  --help                 this text

Exit codes: 0 no statement failed, 1 one did, 2 called wrongly, 3 no such service could be reached.
`

export const checkCommand: Command = {
  summary: 'prove a running service against the contract',
  help,
  async run(args) {
    refuseSecretFlag(args)
    const flags = withoutStrayArguments(() =>
      readFlags(args, {
        'base-url': { type: 'string' },
        'api-key': { type: 'string' },
        'device-id': { type: 'string' },
        origin: { type: 'string' },
        'no-cors': { type: 'boolean' },
        timeout: { type: 'string' },
        json: { type: 'boolean' },
        junit: { type: 'string' },
      }),
    )
    const address = readText('base-url', flags['base-url'])
    const apiKey = readText('api-key', flags['api-key'])
    if (address === undefined || apiKey === undefined) throw new UsageError('--base-url and --api-key are needed')
    const baseUrl = readAddress('base-url', address)
    const deviceId = readText('device-id', flags['device-id']) ?? MARK
    const origin = readOrigin(flags.origin) ?? DEFAULT_ORIGIN
    const timeoutMs = readNumber('timeout', flags.timeout, { min: 100, max: 120_000 }) ?? DEFAULT_TIMEOUT_MS
    const junit = readText('junit', flags.junit)
    if (junit !== undefined) makeFile(junit)

    const secret = await readSecret()
    const report = await createReport({ baseUrl, apiKey, secret, deviceId, timeoutMs, ...(!flags['no-cors'] && { origin }) })
    if (junit !== undefined) writeFileSync(junit, createJunit(report))
    if (flags.json) console.log(JSON.stringify(report, null, 2))
    else if (report.message === undefined) console.log(createTable(report, { coloured: hasColours() }))
    if (report.message !== undefined) console.error(report.message)
    return EXIT_CODES[report.result]
  },
}

function readOrigin(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const origin = URL.canParse(text) ? new URL(text).origin : 'null'
  if (origin === 'null') throw new UsageError('--origin must be the origin of a page, such as https://game.example.com')
  return origin
}

/** Before anything is sent: a report that cannot be written is found out early. */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'w'))
  } catch (error) {
    throw new UsageError(`--junit cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

function hasColours(): boolean {
  return process.stdout.isTTY && !process.env.NO_COLOR
}
