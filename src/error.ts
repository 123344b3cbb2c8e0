// The one error of the runtime. Its message says what to do; it never holds a token, a secret or a signature.

/**
 * - `config`: the caller's mistake, found before any request
 * - `network`: no reply arrived
 * - `timeout`: no reply arrived in time
 * - `http`: the service answered with an error status
 * - `protocol`: the reply is not what the contract allows, for example a captive portal's page
 * - `auth`: the service refuses the credentials, or there is no session
 * - `clock`: the device's clock is too far off to log in, and could not be corrected
 * - `storage`: what should be kept could not be; the game goes on in memory
 * - `closed`: a call after `close()`
 */
export type ErrorCode = 'config' | 'network' | 'timeout' | 'http' | 'protocol' | 'auth' | 'clock' | 'storage' | 'closed'

export interface ErrorDetails {
  /** The HTTP status, where a reply arrived. */
  status?: number
  /** The service's own `error.code`, where it gave one. Its values are not specified. */
  serviceCode?: unknown
  cause?: unknown
}

const NAME = 'PlayerDataError'

/** The one error of the runtime. Its `message` says what to do; it never holds a token, a secret or a signature. */
export class PlayerDataError extends Error {
  /** What went wrong, for programs. */
  readonly code: ErrorCode
  /** The HTTP status, where a reply arrived. */
  readonly status: number | undefined
  /** The service's own `error.code`, where it gave one. Its values are not specified. */
  readonly serviceCode: unknown
  /** What the host or your own function threw, where that is the reason. */
  readonly cause: unknown

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.name = NAME
    this.code = code
    this.status = details.status
    this.serviceCode = details.serviceCode
    this.cause = details.cause
  }
}

/** Whether a caught value is one of ours. Works across realms and copies of the bundle, where `instanceof` does not. */
export function isPlayerDataError(value: unknown): value is PlayerDataError {
  return typeof value === 'object' && value !== null && (value as Error).name === NAME && 'code' in value
}

/** Whether an error means that the service could not be reached or is down, rather than that it said no. */
export function isOutage(error: unknown): boolean {
  if (!isPlayerDataError(error)) return false
  const { code, status = 0 } = error
  return code === 'network' || code === 'timeout' || code === 'protocol' || (code === 'http' && (status >= 500 || status === 429))
}
