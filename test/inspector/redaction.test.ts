import { describe, expect, it } from 'vitest'
import { createRedaction, GONE, shorten } from '../../src/inspector/redaction.ts'

describe('shorten', () => {
  it.each([
    ['player-9f3a51c07b2e', 'play…7b2e'],
    ['device-1', 'de…'],
    ['7', '7…'],
  ])('%s', (id, short) => expect(shorten(id)).toBe(short))
})

describe('redaction', () => {
  const redact = createRedaction(['player-9f3a51c07b2e', 'player-9f3a51c07b2e-2', 'ab'])

  it('shortens known ids wherever they stand, the longer one of two that begin alike included', () => {
    expect(redact({ text: 'for player-9f3a51c07b2e and player-9f3a51c07b2e-2', 'player-9f3a51c07b2e': [1] })).toEqual({
      text: 'for play…7b2e and play…2e-2',
      'play…7b2e': [1],
    })
  })

  it('leaves ids alone that are too short to stand for anyone', () => expect(redact('abc')).toBe('abc'))

  it.each(['accessToken', 'refresh_token', 'apiSecret', 'signature', 'Authorization', 'password', 'api-key', 'Set-Cookie'])(
    'takes away what is called %s',
    (name) => expect(redact({ [name]: 'x', in: [{ [name]: 5 }] })).toEqual({ [name]: GONE, in: [{ [name]: GONE }] }),
  )

  it('leaves a name that says only whether there is one', () =>
    expect(redact({ hasToken: false, token: null })).toEqual({ hasToken: false, token: null }))

  it.each([
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
    ['the start of one', 'eyJhbGciOi'],
    ['a bearer', 'Bearer abc.def'],
    ['Base64 of a digest', 'n0VX2Z1vYQ7yq9m3b4R8sT6uW1xK5pL0aB2cD3eF4g8='],
    ['a long opaque token', 'f'.repeat(40)],
    ['a short one', 'rt_e41t00QMfnXSuEzNcrdXKnf-4tBSJ-G4'],
    ['another', 'rt_jCgN2Bzg-rTaWgt8LG-fLYY-DiAEUY1d'],
    ['a UUID, which may be one', '3b241101-e2bb-4255-8caf-4136c566a962'],
  ])('takes away %s within a text', (_, secret) => {
    const text = String(redact(`refused: ${secret}, sorry`))
    expect(text).toContain(GONE)
    for (const part of secret.split(/[\s.]/).filter((part) => part.length > 5 && part !== 'Bearer')) expect(text).not.toContain(part)
  })

  it('keeps what a ticket needs', () => {
    const kept = {
      sku: 'starter_pack_2026_winter_sale',
      path: '/v1/player/store_configs',
      at: '2026-01-02T03:04:05.678Z',
      n: 1.5,
      no: null,
    }
    expect(redact(kept)).toEqual(kept)
  })

  it('ends on something endless', () => {
    const ring: Record<string, unknown> = {}
    ring.ring = ring
    expect(JSON.stringify(redact(ring))).toContain(GONE)
  })
})
