// A program started as a person would start it, with what it prints.

import { type ChildProcess, spawn } from 'node:child_process'
import { vi } from 'vitest'

export interface Program {
  child: ChildProcess
  /** All it has printed so far. */
  shown: { out: string; err: string }
  /** Its exit code; null when a signal ended it. */
  exit: Promise<number | null>
  /** Waits until it has printed that, and gives the match. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Ends it and all that it has started. */
  kill(): void
}

export function startProgram(
  command: string,
  args: string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Program {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const shown = { out: '', err: '' }
  child.stdout.on('data', (data) => {
    shown.out += data
  })
  child.stderr.on('data', (data) => {
    shown.err += data
  })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    child,
    shown,
    exit,
    printed: (pattern) =>
      vi.waitFor(
        () => {
          const match = pattern.exec(shown.out)
          if (!match) throw new Error(`${command} has not printed ${pattern}, but: ${shown.out}${shown.err}`)
          return match
        },
        { timeout: 15_000, interval: 20 },
      ),
    kill() {
      try {
        process.kill(-(child.pid as number), 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    },
  }
}
