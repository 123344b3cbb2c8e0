// Stands between a check and a sandbox, and breaks one thing: so that every statement can be seen to fail.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import { loginBody } from '../../sandbox/client.ts'

export interface Message {
  method: string
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

export interface Answer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

export interface Tamper {
  /** Answers in place of the service; undefined lets the request go on. */
  answer?(message: Message, known: Known): Answer | undefined
  /** Changes the request in place before it goes on. */
  request?(message: Message, known: Known): void | Promise<void>
  /** The replies of this path begin, and never end. */
  endless?: string
  /** Changes the reply in place. */
  reply?(answer: Answer, message: Message, known: Known): void | Promise<void>
}

/** What the proxy has seen go by, and what it can get for itself. */
export interface Known {
  /** The newest session that a login handed out. */
  session: Record<string, string>
  /** Access tokens handed out. */
  issued: Set<string>
  /** Refresh tokens handed out. */
  renewals: Set<string>
  /** A session of its own, for the same device. */
  login(): Promise<Record<string, string>>
}

const HOP = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']
const closers: (() => Promise<unknown>)[] = []

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

/** Resolves with its address. */
export async function createProxy(target: string, tamper: Tamper): Promise<string> {
  const known: Known = {
    session: {},
    issued: new Set(),
    renewals: new Set(),
    async login() {
      const body = JSON.stringify(loginBody({ deviceId: 'contract-check' }))
      const response = await fetch(`${target}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return (await response.json()) as Record<string, string>
    },
  }

  async function forward({ method, path, headers, body }: Message): Promise<Answer> {
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.includes(name)))
    const bytes = body === '' ? undefined : Buffer.from(body) // As bytes, which get no content type of fetch's own.
    const response = await fetch(target + path, { method, headers: sent, ...(bytes && { body: bytes }), redirect: 'manual' })
    const answer = { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
    if (path.startsWith('/auth') && response.ok && answer.body) {
      const value = JSON.parse(answer.body)
      const session = value.data ?? value
      if (path === '/auth/login') known.session = session
      known.issued.add(session.accessToken)
      known.renewals.add(session.refreshToken)
    }
    return answer
  }

  const server = createServer(async (request, response) => {
    const message = await read(request)
    await tamper.request?.(message, known)
    const answer = tamper.answer?.(message, known) ?? (await forward(message))
    await tamper.reply?.(answer, message, known)
    const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !HOP.includes(name)))
    response.sendDate = false
    response.writeHead(answer.status, headers)
    if (message.path === tamper.endless && message.method !== 'OPTIONS') response.write(' ')
    else response.end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function read(request: IncomingMessage): Promise<Message> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const headers = request.headers as Record<string, string>
  return { method: request.method ?? '', path: request.url ?? '', headers, body: Buffer.concat(chunks).toString('utf8') }
}
