// The signing endpoint of the studio's backend, as a function from Request to Response: it mounts in Hono, Workers, Deno and Bun as it
// is, and in node:http and Express by `toNodeListener`. It signs with the server's clock, and only what `authorize` allows.

import { createSignature, formatTimestamp } from '../signature.ts'

/** Whom a login is to be signed for. */
export interface SigningTarget {
  /** The API key that the game has sent. */
  apiKey: string
  /** The device that the game has sent. */
  deviceId: string
}

/** What `createSigningHandler` takes. */
export interface SigningHandlerOptions {
  /** Your API secrets by API key, or a function that looks one up. They never leave the handler. */
  keys: Record<string, string> | ((apiKey: string) => string | undefined | Promise<string | undefined>)
  /**
   * Says whether the sender of this request may log in as this device. Required: without it, anyone could have logins signed, for any
   * device. Check your own login first, then that the device belongs to that account.
   */
  authorize(request: Request, target: SigningTarget): boolean | Promise<boolean>
  /**
   * Origins of pages that may call it, for example `['https://game.example.com']`, or `'*'`.
   * @default none but its own
   */
  origins?: string[] | '*'
  /**
   * Largest body taken, in bytes.
   * @default 4096
   */
  maxBodyBytes?: number
  /**
   * Hears of what `authorize` or `keys` threw. The sender is told nothing of it.
   * @default none
   */
  onError?(error: unknown): void
}

/** Answers one request. */
export type SigningHandler = (request: Request) => Promise<Response>

/**
 * Makes the signing endpoint of your server. Throws a `TypeError` where `authorize` or `keys` is missing.
 * It answers 200 with `{ timestamp, signature }`, and else an error status with `{ error }`.
 */
export function createSigningHandler(options: SigningHandlerOptions): SigningHandler {
  const { keys, authorize, origins = [], maxBodyBytes = 4096, onError = () => {} } = options
  if (typeof authorize !== 'function') {
    throw new TypeError('createSigningHandler needs authorize(request, { apiKey, deviceId }): without it, it would sign for anyone')
  }
  if (typeof keys !== 'function' && (typeof keys !== 'object' || keys === null)) {
    throw new TypeError('createSigningHandler needs keys: { [apiKey]: secret }, or a function that looks a secret up')
  }
  const secretOf = typeof keys === 'function' ? keys : (apiKey: string) => (Object.hasOwn(keys, apiKey) ? keys[apiKey] : undefined)

  async function answer(request: Request): Promise<Response> {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204 })
    if (request.method !== 'POST') return refuse(405, 'Use POST', { allow: 'POST, OPTIONS' })
    if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return refuse(415, 'Send application/json')
    const text = await readText(request, maxBodyBytes)
    if (text === undefined) return refuse(413, `The body is larger than ${maxBodyBytes} bytes`)
    const target = asTarget(text)
    if (!target) return refuse(400, 'Send { "apiKey": "…", "deviceId": "…" }')
    // First whether the sender may, then whether the key exists: a stranger learns nothing of the keys.
    const { url, method, headers } = request
    if ((await authorize(new Request(url, { method, headers, body: text }), target)) !== true)
      return refuse(403, 'Not allowed for this device')
    const secret = await secretOf(target.apiKey)
    if (!secret) return refuse(400, 'Unknown apiKey')
    const timestamp = formatTimestamp(Date.now())
    return json(200, { timestamp, signature: await createSignature(secret, { ...target, timestamp }) })
  }

  return async (request) => {
    let response: Response
    try {
      response = await answer(request)
    } catch (error) {
      // Whatever was thrown may hold what must not be told to the sender.
      onError(error)
      response = refuse(500, 'The signing endpoint failed')
    }
    for (const [name, value] of Object.entries(corsHeaders(request, origins))) response.headers.set(name, value)
    return response
  }
}

/** The body as text; undefined when it is too large, of which no more than the limit is read. */
async function readText(request: Request, limit: number): Promise<string | undefined> {
  const reader = request.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true as const, value: undefined }
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > limit) {
      await reader?.cancel()
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}

function asTarget(text: string): SigningTarget | undefined {
  try {
    const { apiKey, deviceId } = JSON.parse(text)
    return typeof apiKey === 'string' && apiKey !== '' && typeof deviceId === 'string' && deviceId !== '' ? { apiKey, deviceId } : undefined
  } catch {
    return undefined
  }
}

function corsHeaders(request: Request, origins: string[] | '*'): Record<string, string> {
  const origin = request.headers.get('origin')
  if (!origin || (origins !== '*' && !origins.includes(origin))) return {}
  const asked = request.headers.get('access-control-request-headers')
  return {
    'access-control-allow-origin': origins === '*' ? '*' : origin,
    ...(origins !== '*' && { vary: 'Origin' }),
    ...(request.method === 'OPTIONS' && { 'access-control-allow-methods': 'POST', 'access-control-max-age': '600' }),
    ...(request.method === 'OPTIONS' && asked && { 'access-control-allow-headers': asked }),
  }
}

function refuse(status: number, error: string, headers: Record<string, string> = {}): Response {
  return json(status, { error }, headers)
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}
