// Base64 of our own: bare engines lack btoa.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Standard alphabet, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(at, at + 3)
    const group = (one << 16) | (two << 8) | three
    const digits = [group >> 18, group >> 12, group >> 6, group].map((bits) => ALPHABET[bits & 63])
    text += digits.slice(0, Math.min(3, bytes.length - at) + 1).join('')
  }
  return text + '='.repeat((3 - (bytes.length % 3)) % 3)
}
