// What a command of the `player-data` program is, and how one reads its flags.

import { type ParseArgsConfig, parseArgs } from 'node:util'

export interface Command {
  /** One line for the list of commands. */
  summary: string
  help: string
  /** Resolves with the exit code once the command is done. */
  run(args: string[]): Promise<number>
}

/** A mistake in the command line: its message is printed, and the program ends with code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Parses flags, and turns every mistake into a UsageError. Positional arguments are a mistake. */
export function readFlags<Options extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values
  } catch (error) {
    const [sentence = 'The flags cannot be read'] = (error as Error).message.split(/[.] |\n/)
    throw new UsageError(sentence, { cause: error })
  }
}

export function readNumber(flag: string, text: string | undefined, { min, max }: { min: number; max: number }): number | undefined {
  if (text === undefined) return undefined
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw new UsageError(`--${flag} must be a whole number from ${min} to ${max}`)
  return value
}

export function readChoice<Choice extends string>(flag: string, text: string | undefined, choices: readonly Choice[]): Choice | undefined {
  if (text === undefined) return undefined
  const choice = choices.find((each) => each === text)
  if (choice === undefined) throw new UsageError(`--${flag} must be one of ${choices.join(', ')}`)
  return choice
}

export function readText(flag: string, text: string | undefined): string | undefined {
  if (text === '') throw new UsageError(`--${flag} must not be empty`)
  return text
}
