// Browsers that are started on a page and a profile folder, and killed: no driver is attached, the page works and reports by itself.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromiumCommand } from '../chromium.mjs'
import { findFirefox } from '../firefox.mjs'
import { type Program, startProgram } from '../program.ts'
import { findWebKit } from '../webkit.ts'

export interface Killable {
  /** What the browser has printed; Firefox and WebKit print the pages' consoles. */
  shown: Program['shown']
  /** SIGKILL to the whole process group, and resolves when the browser is gone. */
  kill(): Promise<void>
}

export type BrowserName = 'chromium' | 'firefox' | 'webkit'

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
  async webkit(url, profile) {
    const { miniBrowser, xvfb } = await findWebKit()
    const display = startProgram(xvfb, ['-displayfd', '1', '-screen', '0', '800x600x24', '-nolisten', 'tcp'])
    const [number] = await display.printed(/\d+(?=\n)/).catch((error) => {
      display.kill()
      throw error
    })
    const folders = Object.fromEntries(['DATA', 'CACHE', 'CONFIG'].map((name) => [`XDG_${name}_HOME`, join(profile, name)]))
    // No graphics card, no session bus: drawn by the processor, told to nobody.
    const bare = { GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1', WEBKIT_DISABLE_DMABUF_RENDERER: '1', NO_AT_BRIDGE: '1' }
    const args = ['--enable-write-console-messages-to-stdout=true', url]
    const browser = killable(miniBrowser, args, { ...bare, ...folders, HOME: profile, DISPLAY: `:${number}` })
    return {
      shown: browser.shown,
      async kill() {
        await browser.kill()
        display.kill()
        await display.exit
      },
    }
  },
}

// Nothing but our page: no first-run pages, no restored tabs and no thumbnails (each a second instance of the page), no safe mode after a
// crash.
const firefoxPreferences = {
  'app.normandy.enabled': false,
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.pagethumbnails.capturing_disabled': true,
  'browser.sessionstore.max_resumed_crashes': 0,
  'browser.sessionstore.resume_from_crash': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'devtools.console.stdout.content': true,
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
    shown: program.shown,
    async kill() {
      program.kill()
      await program.exit
    },
  }
}
