// Hosts that are processes of their own: a request goes in as a line, and its reply comes out as a line that starts with @.

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface LineProcess {
  /** One request at a time. Rejects when the process dies meanwhile. */
  ask(request: string): Promise<string>
  /** Waits until it has printed that line. */
  printed(line: string): Promise<void>
  kill(): Promise<void>
  /** All that it has printed, replies left out. */
  readonly shown: string
}

export function startLines(command: string, args: string[], env: Record<string, string> = {}): LineProcess {
  const child: ChildProcess = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  const lines: string[] = []
  let settle: { resolve(text: string): void; reject(error: Error): void } | undefined
  let onLine = () => {}
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  ended.then(() => settle?.reject(new Error(`${command} has died: ${lines.join('\n')}`)))
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input: input as NodeJS.ReadableStream }).on('line', (line) => {
      if (line.startsWith('@')) return settle?.resolve(line.slice(1))
      lines.push(line)
      onLine()
    })
  }
  return {
    ask(request) {
      return new Promise((resolve, reject) => {
        settle = { resolve, reject }
        if (child.exitCode !== null || child.signalCode !== null) reject(new Error(`${command} has died: ${lines.join('\n')}`))
        child.stdin?.write(`${request}\n`)
      })
    },
    printed(line) {
      return new Promise((resolve, reject) => {
        onLine = () => lines.includes(line) && resolve()
        onLine()
        ended.then(() => reject(new Error(`${command} has ended: ${lines.join('\n')}`)))
      })
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    get shown() {
      return lines.join('\n')
    },
  }
}
