// For the studio's backend, which holds the API secret.

import { createSignature, formatTimestamp } from '../signature.ts'
import type { Signed } from '../signer.ts'

/** What `sign` takes. */
export interface SignOptions {
  /** The API key issued to the studio. */
  apiKey: string
  /** Its secret. */
  secret: string
  /** The device that logs in. */
  deviceId: string
  /**
   * UTC, `YYYY-MM-DDThh:mm:ssZ`.
   * @default now
   */
  timestamp?: string
}

/** The timestamp and signature of one login, for a backend that logs in by itself. */
export async function sign({ apiKey, secret, deviceId, timestamp = formatTimestamp(Date.now()) }: SignOptions): Promise<Signed> {
  return { timestamp, signature: await createSignature(secret, { apiKey, deviceId, timestamp }) }
}

export { type SignRequest, signedString } from '../signature.ts'
export type { Signed } from '../signer.ts'
export { createSigningHandler, type SigningHandler, type SigningHandlerOptions, type SigningTarget } from './handler.ts'
export { toNodeListener } from './node.ts'
