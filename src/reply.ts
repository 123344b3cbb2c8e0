// What a reply means. The one place that knows both forms of a success (bare, or `{ data, status: "success" }`) and both forms of an
// error (`{ error: "text" }`, or `{ error: { code, message }, status: "error" }`, the latter even with a 2xx status).

import { PlayerDataError } from './error.ts'
import type { HttpResponse } from './port.ts'

export interface Reply {
  ok: boolean
  status: number
  headers: Record<string, string>
  /** The body in its bare form, as JSON text. Empty where there was none. */
  text: string
}

/** Brings a reply to its bare form. A web page, or JSON that does not parse, is a `protocol` error. */
export function readReply(response: HttpResponse): Reply {
  const { status, headers, body } = response
  const good = status >= 200 && status < 300
  if (good && isWebPage(response)) {
    throw new PlayerDataError(
      'protocol',
      'A web page came back instead of the service’s reply. Often a Wi-Fi login page is in the way, or baseUrl points at a website: open the network’s login page, or check baseUrl.',
      { status },
    )
  }
  const value = body === '' ? undefined : parse(response)
  if (!good) return { ok: false, status, headers, text: body }
  if (isObject(value) && value.status === 'error' && 'error' in value) return { ok: false, status, headers, text: body }
  if (isObject(value) && value.status === 'success' && 'data' in value) {
    return { ok: true, status, headers, text: JSON.stringify(value.data) }
  }
  return { ok: true, status, headers, text: body }
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
  return new PlayerDataError('http', `The service answered with an error (${status})${reason}.`, details)
}

/** The data of a typed call, held against the members that the runtime cannot do without; else the error that the reply stands for. */
export function dataOf<T>(
  result: { data?: T; error?: unknown; response: { ok: boolean; status: number } },
  members: (keyof T & string)[],
): T {
  const { data, error, response } = result
  if (!response.ok) throw errorOf(response.status, error)
  const lacking = members.filter((member) => !isObject(data) || data[member] === undefined)
  if (data === undefined || lacking.length > 0) {
    throw new PlayerDataError('protocol', `The service’s reply lacks ${lacking.join(', ')}. Check what answers at baseUrl.`, {
      status: response.status,
    })
  }
  return data
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isWebPage({ headers, body }: HttpResponse): boolean {
  return /^(text\/html|application\/xhtml)/i.test(headers['content-type'] || '') || /^\s*</.test(body)
}

function parse({ status, headers, body }: HttpResponse): unknown {
  try {
    return JSON.parse(body)
  } catch {
    const type = headers['content-type'] || ''
    if (status >= 200 && status < 300 && (type === '' || /json/i.test(type))) {
      // No cause: the parser's message quotes the body, and the body may hold tokens.
      throw new PlayerDataError(
        'protocol',
        'The service’s reply is broken: its JSON does not parse. Try again; if it stays so, check what answers at baseUrl.',
        { status },
      )
    }
    return body
  }
}
