import { createHmac, webcrypto } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hmacSha256 } from '../src/hmac.ts'
import { createSignature, formatTimestamp, signedString } from '../src/signature.ts'
import { sign } from '../src/signing/index.ts'
import { vectors } from './vectors/signatures.json' with { type: 'json' }

/** As a host might supply it. */
async function byWebCrypto(secret: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  // WebCrypto refuses an empty key, and HMAC pads with zeros: one zero byte is the same key.
  const bytes = secret.length > 0 ? secret : new Uint8Array(1)
  const key = await webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await webcrypto.subtle.sign('HMAC', key, message))
}

const digests = { 'plain JavaScript': hmacSha256, 'the host’s own': byWebCrypto }

describe.each(Object.entries(digests))('signature by %s', (_, digest) => {
  it.each(vectors)('$name', async (vector) => {
    expect(signedString(vector)).toBe(vector.signedString)
    expect(await createSignature(vector.secret, vector, digest)).toBe(vector.signature)
  })
})

describe('the vectors', () => {
  it.each(vectors)('$name: agrees with OpenSSL', ({ secret, signedString, signature }) => {
    expect(createHmac('sha256', secret).update(signedString).digest('base64')).toBe(signature)
  })

  it.each(vectors)('$name: sign() of the signing entry gives it', async ({ apiKey, secret, deviceId, timestamp, signature }) => {
    expect(await sign({ apiKey, secret, deviceId, timestamp })).toEqual({ timestamp, signature })
  })
})

describe('formatTimestamp', () => {
  it('gives the second, without milliseconds', () => {
    expect(formatTimestamp(Date.UTC(2026, 2, 1, 12, 0, 0, 999))).toBe('2026-03-01T12:00:00Z')
    expect(formatTimestamp(0)).toBe('1970-01-01T00:00:00Z')
  })
})
