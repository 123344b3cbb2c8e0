// `npm start`: the site beside a sandbox, both on this machine only, until Ctrl-C.

import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSandbox } from '../dist/sandbox.mjs'

const HOST = '127.0.0.1'
const site = fileURLToPath(new URL('../dist/site/', import.meta.url))
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.yaml': 'application/yaml', '.svg': 'image/svg+xml' }

const sandbox = await onFreePort(Number(process.env.SANDBOX_PORT ?? 4010), (port) => createSandbox({ port, host: HOST }))
const server = await onFreePort(Number(process.env.PORT ?? 4000), (port) => listen(port))

console.log(`
  Start page     http://${HOST}:${server.address().port}/
  API reference  http://${HOST}:${server.address().port}/api/
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
  if (pathname === '/sandbox.json') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ url: sandbox.url }))
    return
  }
  let file = normalize(join(site, decodeURIComponent(pathname)))
  if (file.endsWith(sep)) file = join(file, 'index.html')
  if (!file.startsWith(site) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
    return
  }
  response.writeHead(200, { 'content-type': `${types[extname(file)] ?? 'application/octet-stream'}; charset=utf-8` })
  createReadStream(file).pipe(response)
}
