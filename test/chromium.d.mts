import type { Browser, LaunchOptions } from 'playwright-core'

/** A way to come by a browser: the path of one that starts, or a rejection whose message is the reason in one line. */
export interface Strategy {
  readonly name: string
  readonly find: (env: NodeJS.ProcessEnv) => Promise<string>
}

export interface Chromium {
  readonly executablePath: string
  /** The whole environment to start it with, not an addition to `process.env`. */
  readonly env: Record<string, string>
}

export interface ChromiumCommand extends Chromium {
  readonly args: string[]
}

/** The order of search. */
export const strategies: readonly Strategy[]

/**
 * `env.CHROMIUM_PATH` if it is set (rejects if that is not an executable file), else what the first successful strategy finds.
 * Rejects with what was tried, and the command to run, if none does. May take minutes on a machine that has no browser yet.
 */
export function findChromium(host?: { env?: NodeJS.ProcessEnv; strategies?: readonly Strategy[] }): Promise<Chromium>

/** All that is needed to spawn the browser, or to give to Playwright's `launchPersistentContext`. The array is the caller's own. */
export function chromiumCommand(): Promise<ChromiumCommand>

/** Playwright's `chromium.launch` with the browser found. `options.args` and `options.env` add to ours; the other options go through. */
export function launchChromium(options?: LaunchOptions): Promise<Browser>
