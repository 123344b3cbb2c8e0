// node:http and Express speak streams; the handler speaks Request and Response. This is the bridge. Its types are the parts of Node's
// that it uses, so that nobody needs Node's types who runs elsewhere.

import type { SigningHandler } from './handler.ts'

interface Incoming extends AsyncIterable<Uint8Array> {
  method?: string | undefined
  url?: string | undefined
  headers: Record<string, string | string[] | undefined>
  /** Left by a body parser, such as express.json(), that has emptied the stream. */
  body?: unknown
  complete: boolean
  destroy(): unknown
}

interface Outgoing {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body: string): unknown
}

/** The handler for `createServer(...)` of node:http, or `app.use('/player-data/sign', ...)` of Express. */
export function toNodeListener(handler: SigningHandler): (incoming: Incoming, outgoing: Outgoing) => Promise<void> {
  return async (incoming, outgoing) => {
    let request: Request
    try {
      request = toRequest(incoming)
    } catch {
      // What Request refuses, a method such as TRACE or a broken URL, is the sender's mistake.
      outgoing.writeHead(400, { 'content-type': 'application/json' })
      outgoing.end('{"error":"Bad request"}')
      return
    }
    const response = await handler(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(await response.text())
    // What was not read of a body that is too large need not arrive.
    if (!incoming.complete) incoming.destroy()
  }
}

function toRequest(incoming: Incoming): Request {
  const { method = 'GET', url = '/' } = incoming
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as [string, string])
  // Node takes an async iterable for a body, which the standard's types do not know.
  const body = incoming.body === undefined ? (incoming as unknown as ReadableStream) : JSON.stringify(incoming.body)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`http://localhost${url}`, { method, headers, ...(hasBody && { body, duplex: 'half' }) } as RequestInit)
}
