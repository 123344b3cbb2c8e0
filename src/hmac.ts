// HMAC-SHA256 (FIPS 198-1, FIPS 180-4) for hosts without WebCrypto: plain-http pages, Cocos native, minigames, PuerTS. Of our own because
// it is a fifth of the size of the library it stands for; the vectors and WebCrypto itself hold it in place.

const BLOCK = 64

/** The first 32 bits of the fractional parts of the roots of the first primes: where SHA-256 has its constants from. */
function rootsOfPrimes(count: number, power: number): number[] {
  const roots: number[] = []
  for (let candidate = 2; roots.length < count; candidate += 1) {
    let divisor = 2
    while (candidate % divisor) divisor += 1
    if (divisor === candidate) roots.push(((candidate ** power % 1) * 2 ** 32) | 0)
  }
  return roots
}

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by))

function sha256(message: Uint8Array): Uint8Array {
  const length = message.length
  const padded = new Uint8Array((((length + 8) >> 6) + 1) * BLOCK)
  padded.set(message)
  padded[length] = 128
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, length / 2 ** 29)
  view.setUint32(padded.length - 4, length << 3)

  const constants = rootsOfPrimes(64, 1 / 3)
  const hash = rootsOfPrimes(8, 1 / 2)
  const words: number[] = []
  for (let at = 0; at < padded.length; at += BLOCK) {
    let [a, b, c, d, e, f, g, h] = hash as [number, number, number, number, number, number, number, number]
    for (let round = 0; round < 64; round += 1) {
      const older = (back: number) => words[round - back] as number
      const early = round < 16 ? 0 : older(15)
      const late = round < 16 ? 0 : older(2)
      const word =
        round < 16
          ? view.getInt32(at + round * 4)
          : (older(16) +
              (rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)) +
              older(7) +
              (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10))) |
            0
      words[round] = word
      const one = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + (constants[round] as number) + word) | 0
      const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g]
    }
    ;[a, b, c, d, e, f, g, h].forEach((word, index) => {
      hash[index] = ((hash[index] as number) + word) | 0
    })
  }
  const digest = new DataView(new ArrayBuffer(32))
  hash.forEach((word, index) => void digest.setInt32(index * 4, word))
  return new Uint8Array(digest.buffer)
}

export async function hmacSha256(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const short = key.length > BLOCK ? sha256(key) : key
  const pass = (pad: number, rest: Uint8Array) => {
    const bytes = new Uint8Array(BLOCK + rest.length)
    for (let at = 0; at < BLOCK; at += 1) bytes[at] = pad ^ (short[at] || 0)
    bytes.set(rest, BLOCK)
    return sha256(bytes)
  }
  return pass(0x5c, pass(0x36, message))
}
