export interface Firefox {
  readonly executablePath: string
}

/**
 * `env.FIREFOX_PATH` if it is set (rejects if that is not an executable file), else one on PATH, else one that apt installs when we are
 * root. Rejects with the command to run if there is none. May take a minute on a machine that has no Firefox yet.
 */
export function findFirefox(host?: { env?: NodeJS.ProcessEnv; install?: (env: NodeJS.ProcessEnv) => Promise<void> }): Promise<Firefox>
