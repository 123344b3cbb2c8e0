// The folder of `--data`: `events.jsonl`, one received event a line, and `state.json`, the players and tokens. Both are written before the
// reply goes out. Writing is synchronous: it keeps the order of arrival, and a tool for one developer has no throughput to lose.

import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredEvent } from './ledger.ts'
import type { Player } from './player.ts'
import type { TokenState } from './tokens.ts'

export interface State {
  players: Player[]
  tokens: TokenState
}

export interface Storage {
  /** What an earlier run left. */
  readonly past: { state?: State; events: StoredEvent[] }
  /** What the developer should know about the folder. */
  readonly notices: readonly string[]
  /** Replaces the state in one step: a crash leaves the old one or the new one. */
  save(state: State): void
  append(events: StoredEvent[]): void
  clearEvents(): void
}

/** Without a folder nothing is kept. Throws, saying what to do, where the folder cannot be used. */
export function createStorage(folder?: string): Storage {
  if (folder === undefined) return { past: { events: [] }, notices: [], save() {}, append() {}, clearEvents() {} }
  const eventsFile = join(folder, 'events.jsonl')
  const stateFile = join(folder, 'state.json')

  try {
    mkdirSync(folder, { recursive: true })
    appendFileSync(eventsFile, '')
    const probe = join(folder, '.probe')
    writeFileSync(probe, 'x') // A full disk often still lets an empty file be made.
    rmSync(probe)
  } catch (cause) {
    throw new Error(`The data folder ${folder} cannot be written to (${reason(cause)}). Free it, or choose another.`, { cause })
  }
  const state = readState(stateFile)
  const { events, notices } = readEvents(eventsFile)

  return {
    past: { ...(state && { state }), events },
    notices,
    save(next) {
      const temporary = `${stateFile}.tmp`
      writeFileSync(temporary, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 }) // It holds the key of the access tokens.
      renameSync(temporary, stateFile)
    },
    append(list) {
      if (list.length > 0) appendFileSync(eventsFile, list.map((each) => `${JSON.stringify(each)}\n`).join(''))
    },
    clearEvents: () => truncateSync(eventsFile),
  }
}

function readState(file: string): State | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Error(`${file} cannot be read (${reason(cause)}). Make it readable, or choose another data folder.`, { cause })
  }
  try {
    const state = JSON.parse(text) as State
    if (Array.isArray(state.players) && typeof state.tokens.key === 'string' && Array.isArray(state.tokens.refreshTokens)) return state
  } catch {
    // Told below, without the parser's message, which quotes the file.
  }
  throw new Error(`${file} is damaged. Delete it (players have to log in again), or choose another data folder.`)
}

/** A crash can leave the last line half written: it is cut off, so that the next event starts on a line of its own. */
function readEvents(file: string): { events: StoredEvent[]; notices: string[] } {
  const bytes = readFileSync(file)
  const end = bytes.lastIndexOf('\n') + 1
  const notices: string[] = []
  if (end < bytes.length) {
    truncateSync(file, end)
    notices.push(`${file}: the last line was half written, and was removed.`)
  }
  const events: StoredEvent[] = []
  let unreadable = 0
  for (const line of bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1)) {
    const event = parseLine(line)
    if (event) events.push(event)
    else unreadable++
  }
  if (unreadable > 0) notices.push(`${file}: ${unreadable} unreadable line(s) were passed over.`)
  return { events, notices }
}

function parseLine(line: string): StoredEvent | undefined {
  try {
    const value = JSON.parse(line) as StoredEvent | null
    return typeof value?.sequence === 'number' && typeof value.player === 'string' && value.event ? value : undefined
  } catch {
    return undefined
  }
}

function reason(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  const known: Record<string, string> = {
    ENOSPC: 'the disk is full',
    EACCES: 'no permission',
    EROFS: 'the disk is read-only',
    ENOTDIR: 'it is not a folder',
    EEXIST: 'it is not a folder',
  }
  return known[code ?? ''] ?? code ?? message
}
