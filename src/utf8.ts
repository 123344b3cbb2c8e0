// UTF-8 of our own: bare engines lack TextEncoder, and that of Cocos native cuts a text at the first U+0000.

/** A lone surrogate becomes U+FFFD, as the standard encoder does it. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    const point = character.codePointAt(0) as number
    const code = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point
    if (code < 0x80) bytes.push(code)
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), continuation(code))
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), continuation(code >> 6), continuation(code))
    else bytes.push(0xf0 | (code >> 18), continuation(code >> 12), continuation(code >> 6), continuation(code))
  }
  return Uint8Array.from(bytes)
}

function continuation(bits: number): number {
  return 0x80 | (bits & 0x3f)
}
