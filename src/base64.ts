// Base64 of our own: bare engines lack btoa and atob.

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

/** Either alphabet, padding or none. Characters that are no digits are passed over. */
export function decodeBase64(text: string): number[] {
  const bytes: number[] = []
  let bits = 0
  let count = 0
  for (const character of text) {
    const digit = ALPHABET.indexOf(character === '-' ? '+' : character === '_' ? '/' : character)
    if (digit < 0) continue
    bits = ((bits << 6) | digit) & 0xfff
    count += 6
    if (count >= 8) {
      count -= 8
      bytes.push((bits >> count) & 0xff)
    }
  }
  return bytes
}
