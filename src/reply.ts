// What a reply means. The one place that knows both forms of a success (bare, or `{ data, status: "success" }`) and both forms of an
// error (`{ error: "text" }`, or `{ error: { code, message }, status: "error" }`, the latter even with a 2xx status).

import { PlayerDataError } from './error.ts'
import type { HttpResponse } from './port.ts'

export interface Reply {
  ok: boolean
  status: number
  headers: Record<string, string>
  /** The body in its bare form; its text where it is no JSON, undefined where there was none. */
  value: unknown
}

/** Brings a reply to its bare form. A web page, or JSON that does not parse, is a `protocol` error. */
export function readReply(response: HttpResponse): Reply {
  const { status, headers, body } = response
  const parsed = parse(body)
  const reply = (ok: boolean, value = parsed === undefined ? body || undefined : parsed): Reply => ({ ok, status, headers, value })
  if (status < 200 || status >= 300) return reply(false)
  if (isWebPage(response)) {
    throw broken('a web page: a Wi-Fi login page is in the way, or baseUrl points at a website', status)
  }
  const type = headers['content-type'] || 'json'
  // No cause: the parser's message quotes the body, and the body may hold tokens.
  if (parsed === undefined && body !== '' && /json/i.test(type)) throw broken('broken JSON', status)
  if (!isObject(parsed)) return reply(true)
  if (parsed.status === 'error' && 'error' in parsed) return reply(false)
  return parsed.status === 'success' && 'data' in parsed ? reply(true, parsed.data) : reply(true)
}

/** The error that an error reply stands for. `value` is its body, parsed where it could be. */
export function errorOf(status: number, value: unknown): PlayerDataError {
  const error = isObject(value) ? value.error : undefined
  const said = isObject(error) ? error.message : error
  const reason = typeof said === 'string' ? `: ${said.slice(0, 300)}` : ''
  const details = { status, serviceCode: isObject(error) ? error.code : undefined }
  if (status === 401) {
    return new PlayerDataError('auth', `The service refused the credentials (401)${reason}. Check the API key and the signer.`, details)
  }
  const hint = status === 404 ? ' Check baseUrl.' : ''
  return new PlayerDataError('http', `The service answered with an error (${status})${reason}.${hint}`, details)
}

/** The data of a typed call, held against the members that the runtime cannot do without; else the error that the reply stands for. */
export function dataOf<T>(
  result: { data?: T; error?: unknown; response: { ok: boolean; status: number } },
  members: (keyof T & string)[],
): T {
  const { data, error, response } = result
  if (!response.ok) throw errorOf(response.status, error)
  const lacking = members.filter((member) => !isObject(data) || data[member] === undefined)
  if (data === undefined || lacking.length > 0) throw broken(`a reply without ${lacking.join(', ')}`, response.status)
  return data
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Such as a captive portal's. */
export function isWebPage({ headers, body }: HttpResponse): boolean {
  return /^(text\/html|application\/xhtml)/i.test(headers['content-type'] || '') || /^\s*</.test(body)
}

/** Undefined for what is no JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function broken(what: string, status: number): PlayerDataError {
  return new PlayerDataError('protocol', `Instead of the service’s reply came ${what}. Try again, and check what answers at baseUrl.`, {
    status,
  })
}
