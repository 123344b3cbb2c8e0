// What an operation has to say (an outcome), and how it looks on the wire (a reply): bare or wrapped, errors as text or as an object.

import type { Settings } from './settings.ts'

export interface Outcome {
  status: number
  /** Of a success. Absent where the service specifies no body. */
  data?: unknown
  /** Of an error. */
  message?: string
  headers?: Record<string, string>
  /** For the request log. */
  player?: string
  /** Events stored, for the request log. */
  events?: number
}

export interface Reply {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

/** Values of `error.code` are not specified; these are the ones in the contract's examples, and names of the statuses. */
const CODES: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

export const TIMESTAMP_OUTSIDE_WINDOW = 'Request timestamp is outside the acceptable time window'
export const INVALID_CREDENTIALS = 'Invalid authentication credentials'

export function createReply({ status, data, message, headers }: Outcome, { reply, errors }: Pick<Settings, 'reply' | 'errors'>): Reply {
  if (message !== undefined) {
    const code = message === TIMESTAMP_OUTSIDE_WINDOW ? 'TIMESTAMP_OUT_OF_RANGE' : (CODES[status] ?? `HTTP_${status}`)
    const body = errors === 'text' ? { error: message } : { error: { code, message }, status: 'error' }
    return createJson(status, body, headers)
  }
  if (status === 204 || (data === undefined && reply === 'bare')) return { status, headers: { ...headers }, body: '' }
  return createJson(status, reply === 'bare' ? data : { data: data ?? null, status: 'success' }, headers)
}

export function createJson(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

/** The login page of a Wi-Fi network, in place of what was asked for. */
export function createPortal(): Reply {
  const body =
    '<!doctype html><html><head><title>Wi-Fi login</title></head><body><h1>Welcome. Please accept the terms.</h1></body></html>\n'
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body }
}
