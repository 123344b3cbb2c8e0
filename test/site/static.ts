// dist/site/ under a plain static server in a deep folder, as a studio would put it on a machine of its own.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'

export const site = new URL('../../dist/site/', import.meta.url)
if (!existsSync(site)) throw new Error('dist/site/ is not built: run `npm run docs` first.')

/** Every page, by its address from the site's root. */
export const pages = (readdirSync(site, { recursive: true }) as string[]).filter((file) => file.endsWith('.html')).sort()
export const textOf = (file: string) => readFileSync(new URL(file, site), 'utf8')

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }
const folder = '/some/sub/path/'

export interface Served {
  /** The folder, with a slash at its end. */
  url: string
  close(): Promise<void>
}

export async function serveSite(): Promise<Served> {
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname)
    const file = new URL(path.slice(folder.length) + (path.endsWith('/') ? 'index.html' : ''), site)
    if (!path.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end()
      return
    }
    response.setHeader('content-type', types[extname(file.pathname)] ?? 'application/octet-stream')
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${folder}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
