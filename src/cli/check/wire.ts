// Sends requests to the service under check and keeps what came back. Every request has a time limit, every reply a size limit, redirects
// are not followed, and nothing is sent twice, except once after a 429, since then the service has asked for it.

import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, isWebPage, parse } from '../../reply.ts'
import { retryAfterMs } from '../../retry.ts'
import { version } from '../../version.ts'

export interface Request {
  method: string
  path: string
  /** Names in lower case. */
  headers?: Record<string, string>
  body?: unknown
}

export interface Reply {
  request: Request
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
  /** The parsed body; undefined where it is no JSON. */
  value: unknown
  /** Epoch ms, by this machine's clock. */
  sentAt: number
  receivedAt: number
}

/** Nothing came back, or nothing that could be read to its end. The message says what happened, `advice` what to do. */
export class NoReply extends Error {
  override name = 'NoReply'
  constructor(
    message: string,
    readonly advice: string,
  ) {
    super(message)
  }
}

export interface Wire {
  /** Rejects with NoReply only. */
  send(request: Request): Promise<Reply>
  /** All replies so far, in order. */
  readonly replies: readonly Reply[]
  /** Requests sent. */
  readonly requests: number
  /** Requests without a reply. */
  readonly lost: number
}

export interface WireOptions {
  baseUrl: string
  /** Sent with every request, as a browser does. */
  origin?: string
  timeoutMs: number
}

const MAX_BODY_BYTES = 4 * 1024 * 1024
const MAX_PAUSE_MS = 10_000

export function createWire({ baseUrl, origin, timeoutMs }: WireOptions): Wire {
  const replies: Reply[] = []
  let requests = 0
  let lost = 0

  async function exchange(request: Request): Promise<Reply> {
    const { method, path, headers = {}, body } = request
    requests += 1
    const sentAt = Date.now()
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { 'user-agent': `player-data-check/${version}`, ...(origin && { origin }), ...headers },
        // As bytes: for a text, fetch would add a content type of its own.
        ...(body !== undefined && { body: new TextEncoder().encode(JSON.stringify(body)) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await readText(response)
      const receivedAt = Date.now()
      const lower = Object.fromEntries(response.headers)
      return { request, status: response.status, headers: lower, body: text, value: parse(text), sentAt, receivedAt }
    } catch (error) {
      lost += 1
      throw error instanceof NoReply ? error : noReply(error, timeoutMs)
    }
  }

  return {
    replies,
    get requests() {
      return requests
    },
    get lost() {
      return lost
    },
    async send(request) {
      let reply = await exchange(request)
      if (reply.status === 429) {
        const pauseMs = retryAfterMs(reply.headers['retry-after'], Date.now()) ?? 1000
        if (pauseMs <= MAX_PAUSE_MS) {
          await sleep(pauseMs)
          reply = await exchange(request)
        }
      }
      replies.push(reply)
      return reply
    },
  }
}

/** 2xx, and neither a web page nor the general error format. */
export function isSuccess({ status, headers, body, value }: Reply): boolean {
  return status >= 200 && status < 300 && !isWebPage({ status, headers, body }) && !(isObject(value) && value.status === 'error')
}

/** The service has understood, and says no. Where nothing is there (404, 405) or it is busy (408, 429), nothing was decided. */
export function isRefusal({ status, headers, body }: Reply): boolean {
  return status >= 400 && status < 500 && ![404, 405, 408, 429].includes(status) && !isWebPage({ status, headers, body })
}

export function isWrapped({ value }: Reply): boolean {
  return isObject(value) && value.status === 'success' && 'data' in value
}

/** The value without its wrapper. */
export function bareValue(reply: Reply): unknown {
  return isWrapped(reply) ? (reply.value as { data: unknown }).data : reply.value
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new NoReply('the reply is longer than 4 MiB', 'Check what answers at this address')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const CAUSES: [codes: RegExp, message: string, advice: string][] = [
  [/^ECONNREFUSED$/, 'the connection was refused', 'Start the service, and check host and port of --base-url'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the host name is not known', 'Check --base-url for a typing mistake, and the network'],
  [/^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'no way to the host', 'Check the network and the host of --base-url'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'the connection was cut', 'Look into the log of the service, or of what stands in front of it'],
  [/WRONG_VERSION_NUMBER|SSL_PACKET/, 'no TLS is spoken there', 'Begin --base-url with http:, or use the port for https'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/,
    'the certificate is not trusted',
    'Install a valid certificate, or name that of your own authority in NODE_EXTRA_CA_CERTS',
  ],
  [/^HPE_/, 'what came back is not HTTP', 'Check the port of --base-url'],
]

function noReply(error: unknown, timeoutMs: number): NoReply {
  if ((error as Error).name === 'TimeoutError') {
    return new NoReply(`no reply within ${timeoutMs} ms`, 'Check that the service is not stuck, or raise --timeout')
  }
  const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } }
  const code = cause?.code ?? cause?.errors?.[0]?.code ?? 'unknown'
  const [, message, advice] = CAUSES.find(([codes]) => codes.test(code)) ?? [null, `no reply (${code})`, 'Check --base-url and the network']
  return new NoReply(message, advice)
}
