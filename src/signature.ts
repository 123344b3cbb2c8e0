// The signature of a login, each stage a pure function: text, digest, Base64. The vectors in test/vectors/ hold them in place.

import { encodeBase64 } from './base64.ts'
import { hmacSha256 } from './hmac.ts'
import type { Platform } from './port.ts'
import { encodeUtf8 } from './utf8.ts'

/** What a login's signature vouches for. */
export interface SignRequest {
  /** The API key issued to the studio. */
  apiKey: string
  /** The device that logs in. */
  deviceId: string
  /** UTC, `YYYY-MM-DDThh:mm:ssZ`. */
  timestamp: string
}

/** The text that is signed. */
export function signedString({ apiKey, deviceId, timestamp }: SignRequest): string {
  return `${apiKey}|${deviceId}|${timestamp}`
}

/** A login's form of an instant, `YYYY-MM-DDThh:mm:ssZ`: the second that it falls in. */
export function formatTimestamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** Standard Base64, with padding, of the HMAC-SHA256 of the signed text under the secret. */
export async function createSignature(
  secret: string,
  request: SignRequest,
  digest: NonNullable<Platform['hmacSha256']> = hmacSha256,
): Promise<string> {
  return encodeBase64(await digest(encodeUtf8(secret), encodeUtf8(signedString(request))))
}
