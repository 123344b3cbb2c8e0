// Finds WebKitGTK's own small browser and a display for it, fetching them by apt where the machine lacks them. WEBKIT_PATH, the path of
// a MiniBrowser, is obeyed or it is an error.

import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installByApt } from './apt.mjs'

export interface WebKit {
  miniBrowser: string
  /** WebKitGTK has no headless mode: it draws on the display of this X server, which keeps it in memory. */
  xvfb: string
}

export async function findWebKit(): Promise<WebKit> {
  const chosen = process.env.WEBKIT_PATH
  if (chosen && !isExecutable(chosen)) throw new Error(`WEBKIT_PATH is ${chosen}, which is not an executable file: correct it or unset it`)
  let reason = ''
  if (!findInstalled(chosen)) {
    await installByApt(['libwebkit2gtk-4.1-0', 'xvfb']).catch((error) => {
      reason = ` (apt-get install: ${error.message})`
    })
  }
  const found = findInstalled(chosen)
  if (found) return found
  throw new Error(`No WebKitGTK for the tests${reason}. Run \`sudo apt-get install libwebkit2gtk-4.1-0 xvfb\`.`)
}

function findInstalled(chosen: string | undefined): WebKit | undefined {
  const [miniBrowser] = chosen ? [chosen] : miniBrowsers()
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const xvfb = folders.map((folder) => join(folder, 'Xvfb')).find(isExecutable)
  return miniBrowser && xvfb ? { miniBrowser, xvfb } : undefined
}

/** Debian keeps it off the PATH, in the folder of the library that it shows. */
function miniBrowsers(): string[] {
  try {
    return readdirSync('/usr/lib')
      .map((name) => `/usr/lib/${name}/webkit2gtk-4.1/MiniBrowser`)
      .filter(isExecutable)
  } catch {
    return []
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
