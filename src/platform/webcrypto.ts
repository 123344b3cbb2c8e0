// HMAC-SHA256 by WebCrypto. Absent on plain-http pages.

import type { Platform } from '../port.ts'

export function webCryptoHmac(): Pick<Platform, 'hmacSha256'> {
  const subtle = typeof crypto === 'object' ? crypto.subtle : undefined
  if (!subtle) return {}
  return {
    async hmacSha256(secret, message) {
      // WebCrypto refuses an empty key, and HMAC pads with zeros: one zero byte is the same key.
      const bytes = secret.length > 0 ? secret : new Uint8Array(1)
      const key = await subtle.importKey('raw', bytes as BufferSource, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
      return new Uint8Array(await subtle.sign('HMAC', key, message as BufferSource))
    },
  }
}
