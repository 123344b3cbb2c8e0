// `npm start`: the site beside a sandbox, both on this machine only, until Ctrl-C.

import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSandbox } from '../dist/sandbox.mjs'

const HOST = '127.0.0.1'
const site = fileURLToPath(new URL('../dist/site/', import.meta.url))
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.yaml': 'application/yaml; charset=utf-8',
  '.ts': 'text/plain; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '': 'text/plain; charset=utf-8',
}

const sandbox = await onFreePort(Number(process.env.SANDBOX_PORT ?? 4020), (port) => createSandbox({ port, host: HOST }))
const server = await onFreePort(Number(process.env.PORT ?? 4000), (port) => listen(port))

const address = `http://${HOST}:${server.address().port}/`
console.log(`
  Home           ${address}
  Demo           ${address}demo/
  API reference  ${address}api/
  Sandbox        ${sandbox.url}   (what it got: ${sandbox.url}/_sandbox/events)

  Ctrl-C stops both.
`)

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    server.close()
    server.closeAllConnections()
    await sandbox.close()
  })
}

/** Tries the port, then the next ones, where the port is taken. */
async function onFreePort(first, start) {
  for (let port = first; ; port += 1) {
    try {
      const started = await start(port)
      if (port !== first) console.log(`Port ${first} is taken, so ${port} it is.`)
      return started
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || port >= first + 20) throw error
    }
  }
}

function listen(port) {
  const server = createServer(serve)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => resolve(server))
  })
}

function serve(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost')
  // The one thing that a static server would not have: where the sandbox is.
  if (pathname.endsWith('/sandbox.json')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ url: sandbox.url }))
    return
  }
  const file = fileOf(pathname)
  if (!file) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
    return
  }
  // Without the last slash a folder's relative links would start one folder too high.
  if (statSync(file).isDirectory()) {
    response.writeHead(301, { location: `${pathname}/` }).end()
    return
  }
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', 'cache-control': 'no-cache' })
  createReadStream(file).pipe(response)
}

/** The file or folder of the site at that address, or undefined. */
function fileOf(pathname) {
  let file
  try {
    file = normalize(join(site, decodeURIComponent(pathname)))
  } catch {
    return undefined
  }
  if (file.endsWith(sep)) file = join(file, 'index.html')
  return file.startsWith(site) && existsSync(file) ? file : undefined
}
