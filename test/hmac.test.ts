import { createHmac } from 'node:crypto'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hmacSha256 } from '../src/hmac.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('hmacSha256', () => {
  it.each([0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 128, 1000])('agrees with OpenSSL for keys and messages of %i bytes', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 167 + 13) % 256)
    for (const [key, message] of [
      [bytes, bytes],
      [bytes, new Uint8Array(3)],
      [new Uint8Array(3), bytes],
    ] as const) {
      expect(hex(await hmacSha256(key, message))).toBe(createHmac('sha256', key).update(message).digest('hex'))
    }
  })

  it('agrees with @noble/hashes for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), async (key, message) => {
        expect(hex(await hmacSha256(key, message))).toBe(hex(hmac(sha256, key, message)))
      }),
    )
  })
})
