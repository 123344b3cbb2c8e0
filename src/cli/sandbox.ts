// `player-data sandbox`: runs the sandbox until it is told to stop.

import { createLine } from '../sandbox/log.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.ts'
import { type Command, readChoice, readFlags, readNumber, readText } from './command.ts'

const DEFAULT_PORT = 4010
const DEFAULT_SECRET = 'dev-secret'

const help = `Usage: player-data sandbox [flags]

Runs the whole Player Data Service on this machine, for development.

  --port N               ${DEFAULT_PORT}, or the next free one; 0 is any free one
  --host HOST            127.0.0.1, reachable from this machine alone
  --api-key KEY          dev-key
  --secret SECRET        ${DEFAULT_SECRET}; or the environment variable PLAYER_DATA_SECRET
  --expires-in SECONDS   lifetime of an access token, 3600
  --reply FORM           bare (the object itself) or wrapped ({ data, status })
  --errors FORM          text ({ error: "..." }) or object ({ error: { code, message }, status })
  --seed TEXT            another seed makes other players of the same devices
  --data DIR             keep events, players and tokens in this folder
  --quiet                no request log
  --help                 this text
`

export const sandboxCommand: Command = {
  summary: 'run the whole service on this machine',
  help,
  async run(args) {
    const flags = readFlags(args, {
      port: { type: 'string' },
      host: { type: 'string' },
      'api-key': { type: 'string' },
      secret: { type: 'string' },
      'expires-in': { type: 'string' },
      reply: { type: 'string' },
      errors: { type: 'string' },
      seed: { type: 'string' },
      data: { type: 'string' },
      quiet: { type: 'boolean' },
    })
    const port = readNumber('port', flags.port, { min: 0, max: 65_535 })
    const secret = readText('secret', flags.secret) ?? (process.env.PLAYER_DATA_SECRET || DEFAULT_SECRET)
    const options = defined({
      host: readText('host', flags.host),
      apiKey: readText('api-key', flags['api-key']) ?? 'dev-key',
      secret,
      expiresIn: readNumber('expires-in', flags['expires-in'], { min: 1, max: 1_000_000_000 }),
      reply: readChoice('reply', flags.reply, ['bare', 'wrapped']),
      errors: readChoice('errors', flags.errors, ['text', 'object']),
      seed: flags.seed,
      data: readText('data', flags.data),
      ...(!flags.quiet && { onRequest: (entry) => console.log(createLine(entry)) }),
    })

    const stopped = new Promise<void>((resolve) => {
      process.once('SIGINT', resolve)
      process.once('SIGTERM', resolve)
      process.stdout.once('error', resolve) // Whoever read the log is gone.
    })
    const sandbox = port === undefined ? await startNear(DEFAULT_PORT, options) : await createSandbox({ ...options, port })
    for (const notice of sandbox.notices) console.error(`Note: ${notice}`)
    console.log(greeting(sandbox, options.apiKey, secret))
    await stopped
    await sandbox.close()
    return 0
  },
}

type Started = SandboxOptions & { apiKey: string }

/** Takes the first free port from here on. */
async function startNear(port: number, options: Started): Promise<Sandbox> {
  for (let candidate = port; ; candidate++) {
    try {
      const sandbox = await createSandbox({ ...options, port: candidate })
      if (candidate !== port) console.error(`Note: Port ${port} is taken, so this sandbox has port ${candidate}.`)
      return sandbox
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || candidate === port + 100) throw error
    }
  }
}

function greeting({ url }: Sandbox, apiKey: string, secret: string): string {
  const shown = secret === DEFAULT_SECRET ? secret : '<your secret>'
  return `
Player Data sandbox: ${url}
Control API:         ${url}/_sandbox
API key:             ${apiKey}
API secret:          ${shown}

  const player = createPlayerData({
    baseUrl: ${JSON.stringify(url)},
    apiKey: ${JSON.stringify(apiKey)},
    signer: developmentSigner({ secret: ${JSON.stringify(shown)} }),
  })

Ctrl-C stops it.
`
}

/** Without the members that are undefined. */
function defined(options: { [Name in keyof SandboxOptions]: SandboxOptions[Name] | undefined } & { apiKey: string }): Started {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as SandboxOptions as Started
}
