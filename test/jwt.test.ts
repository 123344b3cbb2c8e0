import { describe, expect, it } from 'vitest'
import { readTokenTimes } from '../src/jwt.ts'

const jwt = (claims: unknown) =>
  `e30.${Buffer.from(typeof claims === 'string' ? claims : JSON.stringify(claims)).toString('base64url')}.sig`

describe('readTokenTimes', () => {
  it('reads when the token was issued and how long it lives', () => {
    expect(readTokenTimes(jwt({ iat: 1_772_366_400, exp: 1_772_370_000, sub: 'zoë 🎮??>>' }))).toEqual({
      issuedAt: 1_772_366_400_000,
      lifetimeMs: 3_600_000,
    })
  })

  it('knows no lifetime without an expiry, or with one before the issue', () => {
    expect(readTokenTimes(jwt({ iat: 100 }))).toEqual({ issuedAt: 100_000 })
    expect(readTokenTimes(jwt({ iat: 100, exp: 99 }))).toEqual({ issuedAt: 100_000 })
  })

  it.each([
    '',
    'opaque',
    'a.b.c',
    '..',
    jwt('not json'),
    jwt('null'),
    jwt('[1]'),
    jwt({ iat: '100', exp: 200 }),
    jwt({ iat: -1 }),
    `e30.${'A'.repeat(99_999)}.x`,
  ])('takes %j for a token that says nothing', (token) => expect(readTokenTimes(token)).toEqual({}))
})
