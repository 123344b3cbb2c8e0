// The four classes of the fetch standard that openapi-fetch names, as far as it uses them. The build injects them into the bundle in
// place of the host's (esbuild's `inject`), so that the client runs where there are none, and no host global is read or assigned.

import type { HttpRequest } from './port.ts'
import type { Reply } from './reply.ts'

type HeadersLike = { forEach(run: (value: string, name: string) => void): void }

export class Headers {
  private readonly values = new Map<string, string>()

  constructor(init: Record<string, string> | HeadersLike = {}) {
    const add = (value: unknown, name: string) => this.set(name, value)
    if (typeof init.forEach === 'function') init.forEach(add)
    else for (const [name, value] of Object.entries(init)) add(value, name)
  }
  get(name: string): string | null {
    const value = this.values.get(name.toLowerCase())
    return value === undefined ? null : value
  }
  has(name: string): boolean {
    return this.values.has(name.toLowerCase())
  }
  set(name: string, value: unknown): void {
    this.values.set(name.toLowerCase(), String(value))
  }
  append(name: string, value: unknown): void {
    this.set(name, this.has(name) ? `${this.get(name)}, ${value}` : value)
  }
  delete(name: string): void {
    this.values.delete(name.toLowerCase())
  }
  entries(): IterableIterator<[string, string]> {
    return this.values.entries()
  }
  forEach(run: (value: string, name: string) => void): void {
    this.values.forEach(run)
  }
}

export class Request {
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined

  constructor(
    readonly url: string,
    init: { method: string; headers: HeadersLike; body?: string },
  ) {
    this.method = init.method
    this.headers = new Headers(init.headers)
    this.body = init.body
  }
}

export class Response {
  readonly ok: boolean
  readonly status: number
  readonly headers: Headers

  constructor(private readonly reply: Reply) {
    this.ok = reply.ok
    this.status = reply.status
    this.headers = new Headers(reply.headers)
    // The text is no longer what the host counted: it may have been unwrapped.
    this.headers.set('content-length', reply.text.length)
    this.headers.delete('transfer-encoding')
  }
  async text(): Promise<string> {
    return this.reply.text
  }
  async json(): Promise<unknown> {
    return JSON.parse(this.reply.text)
  }
}

/** openapi-fetch only asks whether a body is one. No body of this contract is. */
export class FormData {}

/** The request as plain data, which can be authorised, compared and sent again. */
export function toHttpRequest(request: Request, timeoutMs: number): HttpRequest {
  const headers: Record<string, string> = {}
  request.headers.forEach((value, name) => {
    headers[name] = value
  })
  return { method: request.method, url: request.url, headers, timeoutMs, ...(request.body !== undefined && { body: request.body }) }
}
