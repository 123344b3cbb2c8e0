// Browsers that are started on a page and a profile folder, and killed: no driver is attached, the page works and reports by itself.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromiumCommand } from '../chromium.mjs'
import { findFirefox } from '../firefox.mjs'
import { startProgram } from '../program.ts'

export interface Killable {
  /** SIGKILL to the whole process group, and resolves when the browser is gone. */
  kill(): Promise<void>
}

export type BrowserName = 'chromium' | 'firefox'

/** Starts it on the page. The profile folder is made where there is none. */
export const startBrowser: Record<BrowserName, (url: string, profile: string) => Promise<Killable>> = {
  async chromium(url, profile) {
    const { executablePath, args, env } = await chromiumCommand()
    const own = ['--headless', `--user-data-dir=${profile}`, '--hide-crash-restore-bubble', '--password-store=basic']
    return killable(executablePath, [...args, ...own, url], env)
  },
  async firefox(url, profile) {
    const { executablePath } = await findFirefox()
    await mkdir(profile, { recursive: true })
    const lines = Object.entries(firefoxPreferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`)
    await writeFile(join(profile, 'user.js'), lines.join('\n'))
    const args = ['--headless', '--no-remote', '--new-instance', '--profile', profile, url]
    return killable(executablePath, args, { HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1', MOZ_DISABLE_AUTO_SAFE_MODE: '1' })
  },
}

// Nothing but our page: no first-run pages, no restored tabs (a second instance of the page), no safe mode after a crash.
const firefoxPreferences = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.sessionstore.max_resumed_crashes': 0,
  'browser.sessionstore.resume_from_crash': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'http://127.0.0.1:9/',
  'startup.homepage_welcome_url': '',
  'toolkit.startup.max_resumed_crashes': -1,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'trailhead.firstrun.didSeeAboutWelcome': true,
}

function killable(command: string, args: string[], env: Record<string, string>): Killable {
  const program = startProgram(command, args, { env })
  return {
    async kill() {
      program.kill()
      await program.exit
    },
  }
}
