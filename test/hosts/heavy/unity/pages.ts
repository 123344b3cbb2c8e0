// The page that a C# program speaks to, as a process: the linked game in Node, on a storage that outlives it.

import { join } from 'node:path'
import { framework, here, work } from './link.ts'
import { type LineProcess, startLines } from './process.ts'

let pages = 0

/** `env` is what a program needs to find the page. */
export async function openPage(store: string): Promise<LineProcess & { env: Record<string, string> }> {
  pages += 1
  const socket = join(work, `page-${pages}`)
  const page = startLines(process.execPath, [join(here, 'page.cjs'), framework, store, socket])
  await page.printed('the page is open')
  return Object.assign(page, { env: { PAGE_SOCKET: socket } })
}
