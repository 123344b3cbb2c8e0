// HTTP: reads requests within bounds, writes replies with the headers that browsers need, and never fails on what it is sent. It knows nothing
// of the contract.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Reply } from './reply.ts'
import type { Settings } from './settings.ts'

export interface Incoming {
  method: string
  path: string
  query: URLSearchParams
  /** Names in lower case. */
  headers: Record<string, string | undefined>
  bytes: number
  /** The body's bytes; undefined where there were more than allowed. */
  body: Buffer | undefined
  /** Whether the client still waits. */
  isWaiting(): boolean
}

/** The reply to write, or to cut in the middle; none resets the connection. */
export type Delivery = { reply: Reply; cut?: boolean } | { reply?: undefined }

export interface Server {
  url: string
  close(): Promise<void>
}

export interface ServerDeps {
  host: string
  port: number
  settings: Readonly<Settings>
  now(): number
  /** Header names that a page may send. */
  allowedHeaders: string[]
  /** Must not reject. */
  handle(request: Incoming): Promise<Delivery>
}

/** Beyond this a body is not even read to its end: the connection goes. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/** Resolves once it listens. Rejects, saying what to do, where it cannot. */
export async function createServer({ host, port, settings, now, allowedHeaders, handle }: ServerDeps): Promise<Server> {
  const server = createHttpServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => void serve(request, response))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let arrived: { bytes: number; body: Buffer | undefined }
    try {
      arrived = await readBody(request, settings.maxBodyBytes)
    } catch {
      request.destroy() // The client went away, or would not stop: there is nobody to answer.
      return
    }
    const [path = '/', ...query] = (request.url ?? '/').split('?')
    const delivery = await handle({
      method: request.method ?? 'GET',
      path,
      query: new URLSearchParams(query.join('?')),
      headers: request.headers as Incoming['headers'],
      ...arrived,
      isWaiting: () => !response.destroyed,
    })
    if (delivery.reply) write(request, response, delivery.reply, delivery.cut)
    else request.socket.resetAndDestroy()
  }

  function write(request: IncomingMessage, response: ServerResponse, reply: Reply, cut = false): void {
    // Blanks after JSON mean nothing; with them even an empty body has a half that is sent and a half that is missing.
    const bytes = Buffer.from(cut ? `${reply.body}  ` : reply.body)
    const hasBody = reply.status !== 204 && reply.status !== 304
    response.sendDate = false
    response.writeHead(reply.status, {
      date: new Date(now()).toUTCString(),
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': settings.dateExposed ? 'Date, Retry-After' : 'Retry-After',
      ...(request.method === 'OPTIONS' && preflightHeaders(request)),
      ...reply.headers,
      ...(hasBody && { 'content-length': bytes.length }),
    })
    if (cut) response.write(bytes.subarray(0, bytes.length / 2), () => request.socket.destroy())
    else response.end(hasBody ? bytes : undefined)
  }

  function preflightHeaders(request: IncomingMessage): Record<string, string> {
    return {
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
      'access-control-allow-headers': allowedHeaders.join(', '),
      'access-control-max-age': '600',
      // Chromium asks before it lets a page of a public site reach a private address.
      ...(request.headers['access-control-request-private-network'] && { 'access-control-allow-private-network': 'true' }),
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(cause, host, port)))
    server.listen(port, host, resolve)
  })
  const { port: bound } = server.address() as AddressInfo

  return {
    url: `http://${urlHost(host)}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Reads on past the limit without keeping anything, since many clients look for a reply only after they have sent everything. */
async function readBody(request: IncomingMessage, limit: number): Promise<{ bytes: number; body: Buffer | undefined }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_DISCARDED_BYTES) throw new Error('The body does not end.')
    if (bytes <= limit) chunks.push(chunk)
  }
  return { bytes, body: bytes <= limit ? Buffer.concat(chunks) : undefined }
}

/** Where to reach a server that listens there. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const advice: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken. Choose another one, or 0 for any that is free.`,
    EACCES: `Port ${port} on ${host} needs more rights than this process has. Choose one from 1024 up.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Use 127.0.0.1 for this machine alone, or 0.0.0.0 for all of its addresses.`,
    ENOTFOUND: `${host} is not a known host name. Use 127.0.0.1 for this machine alone, or 0.0.0.0 for all of its addresses.`,
  }
  const message = advice[cause.code ?? ''] ?? `Cannot listen on ${host} port ${port} (${cause.code ?? cause.message}).`
  return Object.assign(new Error(message, { cause }), { code: cause.code })
}
