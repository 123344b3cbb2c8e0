// HTTP as browsers and strangers speak it.

import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { event, loginBody, start } from './client.ts'

/** What comes back for bytes on a bare socket. */
function talk(url: string, bytes: string | Buffer, { end = true } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => (end ? socket.end(bytes) : socket.write(bytes)))
    let text = ''
    socket.on('data', (data) => {
      text += data
      if (!end) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}

describe('CORS', () => {
  it('a preflight is answered for all that the contract needs, and may be cached', async () => {
    const { sandbox } = await start()
    const asked = {
      origin: 'https://game.example',
      'access-control-request-method': 'POST',
      'access-control-request-private-network': 'true',
    }
    const reply = await fetch(`${sandbox.url}/v1/events`, { method: 'OPTIONS', headers: asked })
    expect(reply.status).toBe(204)
    expect(Object.fromEntries([...reply.headers].filter(([name]) => name.startsWith('access-control')))).toEqual({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type, X-Tenant-ID, X-Game-Id, X-Player-Id',
      'access-control-max-age': '600',
      'access-control-allow-private-network': 'true',
      'access-control-expose-headers': 'Date, Retry-After',
    })
    const plain = await fetch(`${sandbox.url}/_sandbox/faults`, { method: 'OPTIONS', headers: { origin: 'null' } })
    expect([plain.status, plain.headers.get('access-control-allow-private-network')]).toEqual([204, null])
    expect(sandbox.stats().operations.sendEvents).toEqual({ requests: 0, succeeded: 0 })
  })

  it('every reply can be read by a page, errors and the control API included; nothing is cached', async () => {
    const { get } = await start()
    for (const path of ['/', '/v1/player/status', '/auth/login', '/_sandbox', '/_sandbox/nowhere']) {
      const { headers } = await get(path, { origin: 'https://game.example' })
      expect(headers.get('access-control-allow-origin'), path).toBe('*')
      expect(headers.get('access-control-expose-headers'), path).toBe('Date, Retry-After')
      expect(headers.get('cache-control'), path).toBe('no-store')
    }
  })

  it('hides Date, and Date alone, where told so', async () => {
    const { sandbox, get } = await start()
    sandbox.configure({ dateExposed: false })
    const { headers } = await get('/v1/player/status')
    expect(headers.get('access-control-expose-headers')).toBe('Retry-After')
    expect(headers.get('date')).toMatch(/GMT$/)
  })
})

describe('routing', () => {
  it('knows no other path, and no other method', async () => {
    const { get, post } = await start()
    const nowhere = await get('/auth/logout')
    expect(nowhere.status).toBe(404)
    expect(await nowhere.json()).toEqual({ error: expect.stringContaining('POST /auth/login') })
    const wrong = await get('/auth/login')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    expect((await post('/v1/player/status', {})).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  it('HEAD is GET without the body', async () => {
    const { sandbox, login, headersOf } = await start()
    const reply = await fetch(`${sandbox.url}/v1/player/status`, { method: 'HEAD', headers: headersOf(await login()) })
    expect([reply.status, await reply.text()]).toEqual([200, ''])
    expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(10)
  })
})

describe('bodies', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)

  it.each<[string, string | Buffer, Record<string, string>, number]>([
    ['nothing', '', {}, 400],
    ['half an object', '{"apiKey":', {}, 400],
    ['a number', '7', {}, 400],
    ['null', 'null', {}, 400],
    ['an array', '[]', {}, 400],
    ['wrong types', '{"apiKey":1,"deviceId":{},"timestamp":[],"signature":null}', {}, 400],
    ['a polluting member', '{"__proto__":{"apiKey":"k"},"constructor":1}', {}, 400],
    ['deep nesting', deep, {}, 400],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), {}, 400],
    ['a NUL', '\0', {}, 400],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['no content type', JSON.stringify(loginBody()), { 'content-type': '' }, 415],
    ['gzip', 'x', { 'content-encoding': 'gzip' }, 415],
    ['too much', `"${'x'.repeat(1024 * 1024)}"`, {}, 413],
    ['far too much', Buffer.alloc(8 * 1024 * 1024), {}, 413],
  ])('%s: refused with a clear message, and the sandbox lives', async (_, body, headers, status) => {
    const { sandbox, login } = await start()
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: new Uint8Array(Buffer.from(body)) }
    const reply = await fetch(`${sandbox.url}/auth/login`, options)
    expect(reply.status).toBe(status)
    expect(((await reply.json()) as { error: string }).error.length).toBeGreaterThan(10)
    expect((await login()).tokenType).toBe('Bearer')
  })

  it('the limit can be set', async () => {
    const { sandbox, login, send } = await start()
    const session = await login()
    sandbox.configure({ maxBodyBytes: JSON.stringify([event('a')]).length })
    expect((await send(session, [event('a')])).status).toBe(202)
    expect((await send(session, [event('aa')])).status).toBe(413)
  })
})

describe('strangers', () => {
  it.each([
    ['no HTTP at all', '\x16\x03\x01\x02\x00garbage\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['an odd target', 'GET //[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['an absolute target', 'GET http://x/%%% HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a bad percent sign', 'GET /_sandbox/events?player=%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['both framings', 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['huge headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an upgrade', 'GET /v1/events HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n'],
    ['an upload that stops', 'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"api'],
    ['a bad chunk', 'POST /auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('%s: the sandbox lives', async (_, bytes) => {
    const { sandbox, login } = await start()
    expect(await talk(sandbox.url, bytes)).not.toMatch(/^HTTP[/]1[.]1 5/)
    expect((await login()).tokenType).toBe('Bearer')
    expect(sandbox.breaches()).toEqual([])
  })
})

describe('close', () => {
  it('is quick, with connections that are kept, hang or upload', async () => {
    const sandbox = await createSandbox()
    sandbox.addFault({ kind: 'hang', when: 'after', path: '/v1' })
    await fetch(sandbox.url)
    const hanging = fetch(`${sandbox.url}/v1/player/status`).catch(() => 'gone')
    const uploading = new Promise((resolve) => {
      const upload = httpRequest(`${sandbox.url}/auth/login`, { method: 'POST', headers: { 'content-length': 100 } }, resolve)
      upload.on('error', () => resolve('gone'))
      upload.write('{')
    })
    await vi.waitFor(() => expect(sandbox.faults()).toMatchObject([{ applied: 1 }]))
    const startedAt = performance.now()
    await sandbox.close()
    expect(performance.now() - startedAt).toBeLessThan(500)
    expect(await Promise.all([hanging, uploading])).toEqual(['gone', 'gone'])
    await expect(fetch(sandbox.url)).rejects.toThrow()
  })

  it('lets no request that waits have an effect afterwards', async () => {
    const { sandbox, login, send } = await start()
    const session = await login()
    sandbox.addFault({ kind: 'latency', ms: 40 })
    const sending = send(session, [event('a')]).catch(() => 'gone')
    await vi.waitFor(() => expect(sandbox.stats().operations.sendEvents?.requests).toBe(1), { interval: 5 })
    await sandbox.close()
    expect(await sending).toBe('gone')
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(sandbox.events()).toEqual([])
  })
})

describe('the address', () => {
  it('taken, or not of this machine: says what to do', async () => {
    const { sandbox } = await start()
    const port = Number(new URL(sandbox.url).port)
    await expect(createSandbox({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken. Choose another one`)
    await expect(createSandbox({ host: '192.0.2.1' })).rejects.toThrow('192.0.2.1 is not an address of this machine')
  })

  it('open to the network: says so; loopback: says nothing', async () => {
    const { sandbox } = await start({ host: '0.0.0.0' })
    expect(sandbox.notices).toEqual([expect.stringContaining('everyone on the network can reach this sandbox')])
    expect(sandbox.url).toMatch(/^http:[/][/]127[.]0[.]0[.]1:\d+$/)
    expect((await start()).sandbox.notices).toEqual([])
  })
})
