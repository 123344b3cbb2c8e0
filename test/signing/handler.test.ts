import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import express from 'express'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detectPlatform } from '../../src/platform/detect.ts'
import { createPlayer } from '../../src/player.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { createSignature } from '../../src/signature.ts'
import { remoteSigner } from '../../src/signer.ts'
import { createSigningHandler, type SigningHandler, type SigningHandlerOptions, toNodeListener } from '../../src/signing/index.ts'

const SECRET = 'canary-secret-77'
const keys = { 'studio-key': SECRET }
const url = 'https://studio.example.com/player-data/sign'
const make = (options: Partial<SigningHandlerOptions> = {}) => createSigningHandler({ keys, authorize: () => true, ...options })
const post = (handler: SigningHandler, body: unknown, init: RequestInit = {}) =>
  handler(
    new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    }),
  )
const target = { apiKey: 'studio-key', deviceId: 'device-1' }

describe('createSigningHandler', () => {
  it('signs with its own clock', async () => {
    const response = await post(make(), target)
    expect(response.status).toBe(200)
    const { timestamp, signature } = (await response.json()) as { timestamp: string; signature: string }
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(2000)
    expect(signature).toBe(await createSignature(SECRET, { ...target, timestamp }))
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('is not made without authorize, or without keys', () => {
    expect(() => createSigningHandler({ keys } as never)).toThrow(/authorize/)
    expect(() => createSigningHandler({ authorize: () => true } as never)).toThrow(/keys/)
  })

  it.each([false, undefined, 'yes', 1])('signs nothing when authorize says %j', async (word) => {
    const response = await post(make({ authorize: () => word as boolean }), target)
    expect(response.status).toBe(403)
    expect(Object.keys((await response.json()) as object)).toEqual(['error'])
  })

  it('refuses a stranger’s device where devices are bound to accounts', async () => {
    const accounts: Record<string, { devices: string[] }> = { 'token-of-ada': { devices: ['device-1'] } }
    const handler = make({
      authorize: (request, { deviceId }) => accounts[request.headers.get('authorization') ?? '']?.devices.includes(deviceId) === true,
    })
    const as = (authorization: string, deviceId: string) =>
      post(handler, { ...target, deviceId }, { headers: { 'content-type': 'application/json', authorization } })
    expect((await as('token-of-ada', 'device-1')).status).toBe(200)
    expect((await as('token-of-ada', 'device-2')).status).toBe(403)
    expect((await as('token-of-eve', 'device-1')).status).toBe(403)
  })

  it('lets authorize read the body again', async () => {
    const handler = make({ authorize: async (request) => ((await request.json()) as typeof target).deviceId === 'device-1' })
    expect((await post(handler, target)).status).toBe(200)
  })

  it.each([
    ['GET', 405, new Request(url)],
    ['another content type', 415, new Request(url, { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } })],
    ['no JSON', 400, '{'],
    ['null', 400, 'null'],
    ['no device', 400, { apiKey: 'studio-key' }],
    ['a device that is no string', 400, { apiKey: 'studio-key', deviceId: 7 }],
    ['an empty device', 400, { apiKey: 'studio-key', deviceId: '' }],
    ['an unknown key', 400, { apiKey: 'other', deviceId: 'd' }],
    ['a key of Object’s own', 400, { apiKey: 'constructor', deviceId: 'd' }],
    ['a body over the limit', 413, JSON.stringify({ ...target, padding: 'x'.repeat(5000) })],
  ])('answers %s with %i and words', async (_, status, input) => {
    const response = await (input instanceof Request ? make()(input) : post(make(), input))
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error: expect.stringMatching(/\w/) })
  })

  it('looks a secret up, and answers a failing look-up with 500 that tells nothing', async () => {
    expect((await post(make({ keys: async (apiKey) => (apiKey === 'studio-key' ? SECRET : undefined) }), target)).status).toBe(200)
    const failing = make({
      keys: () => {
        throw new Error(`vault says ${SECRET}`)
      },
    })
    const response = await post(failing, target)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain(SECRET)
  })

  it('lets the named origins in, and no others', async () => {
    const handler = make({ origins: ['https://game.example.com'] })
    const from = (origin: string, method = 'POST') =>
      handler(
        new Request(url, {
          method,
          headers: { origin, 'content-type': 'application/json', 'access-control-request-headers': 'authorization,content-type' },
          ...(method === 'POST' && { body: JSON.stringify(target) }),
        }),
      )
    const preflight = await from('https://game.example.com', 'OPTIONS')
    expect(preflight.status).toBe(204)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': 'https://game.example.com',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-allow-methods': 'POST',
      vary: 'Origin',
    })
    expect((await from('https://game.example.com')).headers.get('access-control-allow-origin')).toBe('https://game.example.com')
    expect((await from('https://evil.example.com')).headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('toNodeListener', () => {
  it.each(['POST // HTTP/1.1', 'POST http:// HTTP/1.1', 'TRACE / HTTP/1.1', 'POST /%zz HTTP/1.1'])(
    'stands "%s", and serves on',
    async (line) => {
      const server = createServer(toNodeListener(make()))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      try {
        const socket = connect(port, '127.0.0.1')
        socket.end(`${line}\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
        const [reply] = (await once(socket, 'data')) as [Buffer]
        expect(String(reply)).toMatch(/^HTTP[/]1[.]1 4\d\d /)
        const headers = { 'content-type': 'application/json' }
        expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: JSON.stringify(target) })).status).toBe(200)
      } finally {
        server.closeAllConnections()
        server.close()
      }
    },
  )
})

describe('mounted on a server', () => {
  const handler = createSigningHandler({
    keys: { 'dev-key': 'dev-secret' },
    authorize: (request) => request.headers.get('authorization') === 'Bearer own-login',
  })
  const hono = new Hono()
  hono.post('/player-data/sign', ({ req }) => handler(req.raw))
  const app = express()
  app.use('/player-data/sign', toNodeListener(handler))
  const parsing = express()
  parsing.use(express.json())
  parsing.use('/player-data/sign', toNodeListener(handler))

  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await createSandbox()
  })
  afterAll(() => sandbox.close())

  it.each([
    ['node:http', () => createServer(toNodeListener(handler))],
    ['Express', () => createServer(app)],
    ['Express behind express.json()', () => createServer(parsing)],
    // Hono's own app.fetch speaks Request and Response; the same bridge puts it on a socket.
    ['Hono', () => createServer(toNodeListener(async (request) => hono.fetch(request)))],
  ])('%s signs logins that the service takes, and refuses strangers', async (_, create) => {
    const server = create()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/player-data/sign`
      const player = (authorization: string) =>
        createPlayer(
          { baseUrl: sandbox.url, apiKey: 'dev-key', signer: remoteSigner({ url: address, headers: () => ({ authorization }) }) },
          detectPlatform(),
        )
      const known = player('Bearer own-login')
      expect((await known.login()).userId).toMatch(/^player-/)
      await known.close()
      await expect(player('Bearer nobody').login()).rejects.toMatchObject({
        code: 'auth',
        status: 403,
        message: expect.stringContaining('signing endpoint'),
      })
      const large = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ padding: 'x'.repeat(8000) }) }
      expect((await fetch(address, large)).status).toBe(413)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
