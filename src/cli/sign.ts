// `player-data sign`: the signature of one login, with the string in between, so that other signers can be compared with it stage by stage.

import { createSignature, formatTimestamp, type SignRequest, signedString } from '../signature.ts'
import { readAddress } from './address.ts'
import { type Command, readFlags, readText, UsageError } from './command.ts'
import { readSecret, refuseSecretFlag, withoutStrayArguments } from './secret.ts'

const DEFAULT_BASE_URL = 'http://127.0.0.1:4010'

const help = `Usage: player-data sign --api-key KEY --device-id ID [flags]

Signs a login and prints the signed string, the signature and a curl command that logs in.
The secret comes from the environment variable PLAYER_DATA_SECRET or from standard input.

  --api-key KEY          the API key that the secret belongs to
  --device-id ID         the device that logs in
  --timestamp TIME       UTC, YYYY-MM-DDThh:mm:ssZ; now
  --base-url URL         for the curl command, ${DEFAULT_BASE_URL}
  --json                 one JSON object
  --help                 this text
`

/** What `player-data sign --json` prints. */
export interface SignedLogin extends SignRequest {
  signedString: string
  signature: string
  /** For a POSIX shell. Holds the signature, and not the secret. */
  curl: string
}

export const signCommand: Command = {
  summary: 'sign a login, to compare with a signer of your own',
  help,
  async run(args) {
    refuseSecretFlag(args)
    const flags = withoutStrayArguments(() =>
      readFlags(args, {
        'api-key': { type: 'string' },
        'device-id': { type: 'string' },
        timestamp: { type: 'string' },
        'base-url': { type: 'string' },
        json: { type: 'boolean' },
      }),
    )
    const apiKey = readText('api-key', flags['api-key'])
    const deviceId = readText('device-id', flags['device-id'])
    if (apiKey === undefined || deviceId === undefined) throw new UsageError('--api-key and --device-id are needed')
    const timestamp = readTimestamp(flags.timestamp) ?? formatTimestamp(Date.now())
    const baseUrl = readAddress('base-url', flags['base-url'] ?? DEFAULT_BASE_URL)

    const signed = await signLogin(await readSecret(), { apiKey, deviceId, timestamp }, baseUrl)
    console.log(flags.json ? JSON.stringify(signed, null, 2) : textOf(signed))
    return 0
  },
}

export async function signLogin(secret: string, login: SignRequest, baseUrl: string): Promise<SignedLogin> {
  const signature = await createSignature(secret, login)
  const body = JSON.stringify({ ...login, signature })
  const curl = `curl -X POST ${quote(`${baseUrl}/auth/login`)} -H 'Content-Type: application/json' -d ${quote(body)}`
  return { ...login, signedString: signedString(login), signature, curl }
}

function textOf({ signedString: text, signature, curl }: SignedLogin): string {
  return `Signed string  ${text}\nSignature      ${signature}\n\nA service takes it within 5 minutes of the timestamp:\n\n${curl}`
}

/** A real instant in the form that is signed: other forms of the same time have another signature. */
function readTimestamp(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const at = Date.parse(text)
  if (Number.isNaN(at) || formatTimestamp(at) !== text) {
    throw new UsageError('--timestamp must be a time in UTC of the form YYYY-MM-DDThh:mm:ssZ, such as 2026-03-01T12:00:00Z')
  }
  return text
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
