// For the studio's backend, which holds the API secret.

import { createSignature, formatTimestamp, signedString } from '../signature.ts'
import type { Signed } from '../signer.ts'

export interface SignOptions {
  apiKey: string
  secret: string
  deviceId: string
  /** UTC, `YYYY-MM-DDThh:mm:ssZ`. Default: now. */
  timestamp?: string
}

/** The timestamp and signature of one login. */
export async function sign({ apiKey, secret, deviceId, timestamp = formatTimestamp(Date.now()) }: SignOptions): Promise<Signed> {
  return { timestamp, signature: await createSignature(secret, { apiKey, deviceId, timestamp }) }
}

export type { SignRequest } from '../signature.ts'
export type { Signed }
export { signedString }
