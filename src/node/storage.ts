// A storage in a folder, for Node. All of it is one file to which every change is added as a line of JSON and flushed to the disk before
// the write resolves: a change is there whole or not at all. A last line that a crash cut short is left out at the next start. What is
// deleted goes from the disk at once, by writing the file anew: a token must not outlive its logout there.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, readFile, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { KeyValue } from '../port.ts'

type Change = Parameters<KeyValue['write']>[0]

/** How much longer than need be the file may get before it is written anew. */
const SPARE_BYTES = 1_000_000

const opened = new Map<string, KeyValue>()

/**
 * Keeps what the player keeps in `directory`, which is made where it is missing. Only this user can read it: there are tokens in it.
 * One process at a time. The players of one process can share a directory.
 */
export function fileStorage(directory: string): KeyValue {
  const path = resolve(directory)
  const storage = opened.get(path) ?? createFileStorage(path)
  opened.set(path, storage)
  return storage
}

function createFileStorage(directory: string): KeyValue {
  const path = join(directory, 'player-data.jsonl')
  const values = new Map<string, unknown>()
  let file: FileHandle | undefined
  let bytes = 0
  let spare = 0
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other; and the folder is opened by the first. */
  function inTurn<T>(run: () => T | Promise<T>): Promise<T> {
    const result = last.then(async () => {
      file ??= await start()
      return run()
    })
    last = result.catch(() => {})
    return result
  }

  async function start(): Promise<FileHandle> {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    takeLock(join(directory, 'lock'))
    const text = await readFile(path, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    for (const line of text.split('\n')) apply(readLine(line))
    return rewrite()
  }

  function apply({ set = [], delete: gone = [] }: Change): void {
    for (const key of gone) values.delete(key)
    for (const [key, value] of set) values.set(key, value)
  }

  /** The whole of it in a new file, in place of the old one in one step. */
  async function rewrite(): Promise<FileHandle> {
    const next = await open(`${path}.next`, 'w', 0o600)
    const text = values.size > 0 ? lineOf({ set: [...values] }) : ''
    try {
      await next.writeFile(text)
      await next.sync()
      await rename(`${path}.next`, path)
    } catch (error) {
      await next.close()
      throw error
    }
    await flushFolder(directory)
    if (file) await file.close()
    bytes = Buffer.byteLength(text)
    spare = 0
    return next
  }

  async function append(change: Change): Promise<void> {
    const target = file as FileHandle
    const line = Buffer.from(lineOf(change))
    try {
      // A disk that fills up takes a part first, and says no to the rest.
      for (let done = 0; done < line.length; ) {
        done += (await target.write(line, done, line.length - done, bytes + done)).bytesWritten
      }
      await target.datasync()
    } catch (error) {
      // What got there of it must not stand before the next line.
      await target.truncate(bytes).catch(() => {})
      throw asQuota(error as NodeJS.ErrnoException)
    }
    bytes += line.length
    apply(change)
  }

  return {
    durability: 'disk',
    get: (keys) => inTurn(() => keys.map((key) => copyOf(values.get(key)))),
    keys: (prefix) => inTurn(() => [...values.keys()].filter((key) => key.startsWith(prefix)).sort()),
    write: (change) =>
      inTurn(async () => {
        const isDeleting = (change.delete || []).some((key) => values.has(key))
        await append(change)
        spare += isDeleting ? SPARE_BYTES : Buffer.byteLength(lineOf(change))
        // A full disk is no reason to fail a write that is already there.
        if (spare >= SPARE_BYTES) file = await rewrite().catch(() => file)
      }),
  }
}

function lineOf(change: Change): string {
  return `${JSON.stringify(change)}\n`
}

/** An empty change for a line that is none. */
function readLine(line: string): Change {
  try {
    return JSON.parse(line)
  } catch {
    return {}
  }
}

/** What a caller does with a value must not reach the stored one. */
function copyOf(value: unknown): unknown {
  return typeof value === 'object' ? structuredClone(value) : value
}

/** The name that tells the buffer to make room. */
function asQuota(error: NodeJS.ErrnoException): Error {
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code))) error.name = 'QuotaExceededError'
  return error
}

/** Makes the renaming itself last. Not every system can do it, and then it does so by itself. */
async function flushFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

/** Two processes that write to one file would tear it apart. A lock whose owner is gone, or had our own number, is nobody's. */
function takeLock(path: string): void {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const owner = Number(readFileSync(path, 'utf8'))
    if (owner > 0 && owner !== process.pid && isAlive(owner)) {
      throw new Error(`Process ${owner} uses this folder. Give each process its own; if no such process is yours, delete ${path}.`)
    }
    writeFileSync(path, String(process.pid), { mode: 0o600 })
  }
  process.once('exit', () => rmSync(path, { force: true }))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
