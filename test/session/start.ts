// A strict sandbox and a browser for each test, both gone after it.

import { afterEach, expect } from 'vitest'
import type { Platform } from '../../src/port.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts'
import { type Browser, createBrowser } from '../browser.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

export async function start(options: SandboxOptions = {}, parts: Partial<Platform> = {}): Promise<{ sandbox: Sandbox; browser: Browser }> {
  const sandbox = await createSandbox({ strict: true, ...options })
  const browser = createBrowser(sandbox, parts)
  ends.push(async () => {
    await browser.close()
    await sandbox.close()
    expect(sandbox.breaches()).toEqual([])
  })
  return { sandbox, browser }
}

/** How often the service was asked for what, and how often it said yes. */
export function counts(sandbox: Sandbox): { logins: number; refreshes: number; failedLogins: number; failedRefreshes: number } {
  const { authLogin, authRefresh } = sandbox.stats().operations
  return {
    logins: authLogin?.succeeded ?? 0,
    failedLogins: (authLogin?.requests ?? 0) - (authLogin?.succeeded ?? 0),
    refreshes: authRefresh?.succeeded ?? 0,
    failedRefreshes: (authRefresh?.requests ?? 0) - (authRefresh?.succeeded ?? 0),
  }
}

export const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
