import { describe, expect, it } from 'vitest'
import { encodeBase64 } from '../src/base64.ts'
import { encodeUtf8 } from '../src/utf8.ts'

describe('encodeUtf8', () => {
  const texts = ['', 'plain', 'é', '工作室', '👩‍🚀', 'a\u0000b', '\ud83d', '\udc00x', 'x\ud83dy', '\u07ff\u0800\uffff\u{10000}\u{10ffff}']
  it.each(texts)('%j as the platform’s own encoder', (text) => {
    expect([...encodeUtf8(text)]).toEqual([...new TextEncoder().encode(text)])
  })
})

describe('encodeBase64', () => {
  it.each([0, 1, 2, 3, 4, 31, 32, 33, 256])('%i bytes as Node’s own', (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 89 + 251) % 256)
    expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
  })
})
