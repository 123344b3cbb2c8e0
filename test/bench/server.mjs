// The service of every row: takes whatever a row posts, finds the ids of the events in it, and counts. It can be unreachable: then
// connections to its port are refused.

import { createServer as createHttpServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { userId } from './peers/event.js'

/** An id that `trackLoop` of page.mjs makes. */
const idPattern = /ad-[a-z][0-9]{7}/g

/** What GameAnalytics, Amplitude, Mixpanel and Segment each want to read after a success. */
const taken = JSON.stringify({ code: 200, status: 1, success: true, server_ts: Math.round(Date.now() / 1000) })
const session = JSON.stringify({
  ...{ accessToken: `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${'e'.repeat(90)}.${'s'.repeat(43)}`, refreshToken: 'rt_5zq1mB0Yb3VfC2u8' },
  ...{ tokenType: 'Bearer', expiresIn: 3600, userId, deviceId: 'bench', gameId: 'game-1', tenantId: 'tenant-1' },
  playerConfig: { playerStatus: {}, storeConfig: { activeSkus: [] } },
})

export async function createServer() {
  /** How often each id came. */
  const arrived = new Map()
  const sockets = new Set()
  const tally = { requests: 0, preflights: 0, bodyBytes: 0, closedBytes: 0, bytesBefore: 0 }

  const http = createHttpServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => answer(request, Buffer.concat(chunks), response))
  })
  // A connection that closes by itself at the wrong moment would look like an outage.
  http.keepAliveTimeout = 600_000
  http.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      tally.closedBytes += socket.bytesRead
    })
  })

  function answer({ method, url, headers }, body, response) {
    response.setHeader('access-control-allow-origin', headers.origin ?? '*')
    response.setHeader('access-control-allow-credentials', 'true')
    if (method === 'OPTIONS') {
      tally.preflights += 1
      response.setHeader('access-control-allow-methods', 'GET, POST')
      response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '')
      response.setHeader('access-control-max-age', '7200')
      response.end()
      return
    }
    if (method === 'POST') count(body, headers)
    response.setHeader('content-type', 'application/json')
    response.end(url.startsWith('/auth/') ? session : taken)
  }

  function count(body, headers) {
    const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
    const ids = text.match(idPattern) ?? []
    if (ids.length === 0) return
    tally.requests += 1
    tally.bodyBytes += body.length
    for (const id of ids) arrived.set(id, (arrived.get(id) ?? 0) + 1)
  }

  const bytesRead = () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, tally.closedBytes)
  const listen = (port) =>
    new Promise((resolve, reject) => {
      http.once('error', reject)
      http.listen(port, '127.0.0.1', resolve)
    })

  await listen(0)
  const { port } = http.address()

  /** Distinct ids that start with the prefix, and how many came more than once. */
  function countOf(prefix) {
    let distinct = 0
    let copies = 0
    for (const [id, times] of arrived) {
      if (!id.startsWith(prefix)) continue
      distinct += 1
      copies += times - 1
    }
    return { distinct, copies }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    countOf,
    /** Requests that carried events, their bodies, and all that came over the connections (headers and preflights too). */
    traffic: () => ({
      ...{ requests: tally.requests, preflights: tally.preflights, bodyBytes: tally.bodyBytes },
      wireBytes: bytesRead() - tally.bytesBefore,
    }),
    /** Forgets what came. */
    reset() {
      arrived.clear()
      Object.assign(tally, { requests: 0, preflights: 0, bodyBytes: 0, bytesBefore: bytesRead() })
    },
    async up() {
      if (!http.listening) await listen(port)
    },
    async down() {
      if (!http.listening) return
      const closed = new Promise((resolve) => http.close(resolve))
      http.closeAllConnections()
      await closed
    },
    /** Whether that many distinct ids with the prefix came in time. */
    async waitFor(prefix, number, limitMs) {
      const endAt = Date.now() + limitMs
      while (countOf(prefix).distinct < number) {
        if (Date.now() > endAt) return false
        await sleep(20)
      }
      return true
    },
  }
}
