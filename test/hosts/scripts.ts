// The scripts that every JavaScript host loads, and the call that crosses into it.

import { readFileSync } from 'node:fs'
import type { Host } from './host.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The bundle as it ships, and the agent that the journey speaks to. */
export const bundle = read('../../dist/player-data.js').replace(/\n[/][/]# sourceMappingURL=.*/, '')
export const agent = read('agent.js')

/** `evaluate` runs a script in the host and resolves with the text that the script's value, a promise, resolves with. */
export function callsBy(evaluate: (script: string) => Promise<string>): Host['call'] {
  return async (name, ...args) => {
    const { value, error } = JSON.parse(await evaluate(`agent.call(${JSON.stringify(JSON.stringify({ name, args }))})`))
    if (error !== undefined) throw new Error(error)
    return value === undefined ? null : value
  }
}
