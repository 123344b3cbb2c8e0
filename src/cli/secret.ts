// Where the API secret comes from: the environment or standard input. Arguments are seen by every user of the machine and stay in the
// shell's history, so none is taken; and what stands in a place where a secret may have been put by mistake is not repeated in a message.

import { UsageError } from './command.ts'

const MAX_BYTES = 64 * 1024
/** Whoever pipes the secret may have to unlock it first. */
const WAIT_MS = 60_000

const HOW = 'Set the environment variable PLAYER_DATA_SECRET, or pipe the secret to standard input'

/** Refuses what could be a secret on the command line; to be called before the flags are read. */
export function refuseSecretFlag(args: string[]): void {
  if (!args.some((each) => each === '--secret' || each.startsWith('--secret='))) return
  throw new UsageError(`--secret is not taken here, because arguments can be read by others and stay in the shell's history. ${HOW}`)
}

/** Reads the flags by `read`, and keeps an argument without a flag out of the message. */
export function withoutStrayArguments<Flags>(read: () => Flags): Flags {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UsageError) || !/^Unexpected argument/.test(error.message)) throw error
    throw new UsageError('There is an argument without a flag')
  }
}

/** The secret. One line end behind a piped one is not part of it. */
export async function readSecret(
  env: NodeJS.ProcessEnv = process.env,
  input: NodeJS.ReadStream & { fd?: number } = process.stdin,
): Promise<string> {
  const secret = env.PLAYER_DATA_SECRET || (input.isTTY ? '' : await readAll(input)).replace(/\r?\n$/, '')
  if (secret === '') throw new UsageError(`There is no secret. ${HOW}`)
  return secret
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => input.destroy(new UsageError(`Standard input did not end. ${HOW}`)), WAIT_MS)
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new UsageError(`Standard input is too long for a secret. ${HOW}`)
      chunks.push(chunk)
    }
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
