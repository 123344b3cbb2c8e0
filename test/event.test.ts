import { describe, expect, it } from 'vitest'
import { byteLength, claimEvent, createEventWriter, type TrackOptions } from '../src/event.ts'

function writerAt(clock: { now: number }, sessionId?: string) {
  let ids = 0
  return createEventWriter({
    clock: { now: () => clock.now, offsetMs: () => 0, known: true, learn() {} },
    metadata: { osName: 'Test' },
    createId: () => `id-${++ids}`,
    sessionId,
  })
}
const NOW = Date.UTC(2026, 2, 1, 12, 0, 7, 250)
const write = (type: string, payload?: object, options: TrackOptions = {}, userId?: string) =>
  writerAt({ now: NOW }).write(type, payload, options, userId)
const parsed = (...args: Parameters<typeof write>) => JSON.parse(write(...args).text)

describe('an event', () => {
  it('has the four members of the contract', () => {
    expect(write('Own', { a: 1 }).text).toBe(
      '{"eventType":"Own","timestamp":"2026-03-01T12:00:07.250Z","payload":{"a":1},"metadata":{"osName":"Test"}}',
    )
  })

  it('fills in player and session for an ad impression, and for nothing else', () => {
    expect(parsed('Ad_Impression', { adId: 'a' }, {}, 'p').payload).toEqual({ userId: 'p', sessionId: 'id-1', adId: 'a' })
    expect(parsed('Ad_Impression', {}, {}, 'p').payload).toEqual({ userId: 'p', sessionId: 'id-1' })
    expect(parsed('Ad_Impression', { userId: 'x', sessionId: 'y' }, {}, 'p').payload).toEqual({ userId: 'x', sessionId: 'y' })
    expect(parsed('Ad_Impression').payload).toEqual({ sessionId: 'id-1' })
    expect(parsed('Own', {}, {}, 'p').payload).toEqual({})
  })

  it('counts its bytes as UTF-8', () => {
    const { text, bytes } = write('Größe', { emoji: '🎮', cjk: '工作' })
    expect(bytes).toBe(Buffer.byteLength(text))
    expect(byteLength('é')).toBe(2)
  })

  it('keeps what JSON keeps: undefined and functions go, NaN becomes null', () => {
    expect(parsed('Own', { a: undefined, b: Number.NaN, c: () => 1, d: [undefined], e: new Date(0), f: null }).payload).toEqual({
      b: null,
      d: [null],
      e: '1970-01-01T00:00:00.000Z',
      f: null,
    })
  })

  it('keeps an own member called __proto__, and pollutes nothing', () => {
    const { text } = write('Ad_Impression', JSON.parse('{"__proto__":{"polluted":1},"adId":"a"}'), {}, 'p')
    expect(text).toContain('"__proto__":{"polluted":1}')
    expect('polluted' in {}).toBe(false)
    expect(claimEvent(text, 'p', 0)).toContain('"__proto__"')
    expect('polluted' in {}).toBe(false)
  })

  it.each([
    ['a lone high surrogate', '\ud83d', '\ufffd'],
    ['a lone low surrogate', 'x\udc00y', 'x\ufffdy'],
    ['a pair', '🎮', '🎮'],
    ['a pair and a half', '🎮\ud83d', '🎮\ufffd'],
    ['a backslash and words', '\\ud83d', '\\ud83d'],
    ['a backslash before half a pair', '\\\ud83d', '\\\ufffd'],
  ])('has well-formed text for %s', (_, text, expected) => {
    const made = write('Own', { text, [text]: 1 })
    expect(JSON.parse(made.text).payload).toEqual({ text: expected, [expected]: 1 })
    expect(Buffer.from(made.text).toString()).toBe(made.text)
  })

  it('is what it was at the call, whatever happens to the object', () => {
    const payload = { list: [1] }
    const { text } = write('Own', payload)
    payload.list.push(2)
    expect(JSON.parse(text).payload).toEqual({ list: [1] })
  })

  const circular: Record<string, unknown> = {}
  circular.self = circular
  class Money {}
  it.each([
    ['no type', '', {}, {}],
    ['a type that is no string', 7, {}, {}],
    ['a payload that is an array', 'Own', [], {}],
    ['a payload that is text', 'Own', 'x', {}],
    ['a payload that is null', 'Own', null, {}],
    ['a payload that is a Map', 'Own', new Map(), {}],
    ['a payload that is a Date', 'Own', new Date(), {}],
    ['a circular payload', 'Own', circular, {}],
    ['a BigInt', 'Own', { n: 1n }, {}],
    [
      'a getter that throws',
      'Own',
      {
        get n() {
          throw new Error('no')
        },
      },
      {},
    ],
    ['a payload that makes itself text', 'Own', { toJSON: () => 'x' }, {}],
    ['a payload that makes itself nothing', 'Own', { toJSON: () => undefined }, {}],
    ['metadata that is no object', 'Own', {}, { metadata: [] }],
    ['an unknown priority', 'Own', {}, { priority: 'high' }],
    ['a time that is none', 'Own', {}, { timestamp: Number.NaN }],
    ['a time beyond all dates', 'Own', {}, { timestamp: 9e15 }],
    ['1 MB', 'Own', { text: 'x'.repeat(1e6) }, {}],
    ['more than 32 KB in UTF-8', 'Own', { text: '工'.repeat(11_000) }, {}],
  ])('is a config error with %s', (_, type, payload, options) => {
    expect(() => write(type as string, payload as object, options as TrackOptions)).toThrow(
      expect.objectContaining({ code: 'config', message: expect.stringMatching(/^track: /) }),
    )
    expect(() => write('Own', new Money() as object)).not.toThrow()
  })
})

describe('times', () => {
  it('increase strictly, however fast events come', () => {
    const writer = writerAt({ now: NOW })
    const times = Array.from({ length: 5 }, () => JSON.parse(writer.write('Own', {}, {}, undefined).text).timestamp)
    expect(times).toEqual([250, 251, 252, 253, 254].map((ms) => `2026-03-01T12:00:07.${ms}Z`))
  })

  it('stay in the same session when the clock is corrected a little, and start a new one when it is corrected back by more than a second', () => {
    const clock = { now: NOW }
    const writer = writerAt(clock)
    const impression = () => {
      const { timestamp, payload } = JSON.parse(writer.write('Ad_Impression', {}, {}, 'p').text)
      return [timestamp.slice(17), payload.sessionId]
    }
    expect(impression()).toEqual(['07.250Z', 'id-1'])
    clock.now -= 900
    expect(impression()).toEqual(['07.251Z', 'id-1'])
    clock.now -= 5000
    expect(impression()).toEqual(['01.350Z', 'id-2'])
  })

  it('stay in the same session when a burst has run ahead of the clock', () => {
    const writer = writerAt({ now: NOW })
    const sessions = Array.from({ length: 3000 }, () => JSON.parse(writer.write('Ad_Impression', {}, {}, 'p').text).payload.sessionId)
    expect(new Set(sessions)).toEqual(new Set(['id-1']))
  })

  it('keep the game’s own session id, and still increase', () => {
    const clock = { now: NOW }
    const writer = writerAt(clock, 'own')
    const first = JSON.parse(writer.write('Ad_Impression', {}, {}, 'p').text)
    clock.now -= 5000
    const second = JSON.parse(writer.write('Ad_Impression', {}, {}, 'p').text)
    expect([first.payload.sessionId, second.payload.sessionId]).toEqual(['own', 'own'])
    expect(second.timestamp > first.timestamp).toBe(true)
  })
})

describe('claimEvent', () => {
  it('puts in the player and moves the time', () => {
    const { text } = write('Ad_Impression', { adId: 'a' })
    expect(JSON.parse(claimEvent(text, 'p', -7_200_000))).toMatchObject({
      timestamp: '2026-03-01T10:00:07.250Z',
      payload: { userId: 'p', sessionId: 'id-1', adId: 'a' },
    })
    expect(JSON.parse(claimEvent(write('Own').text, 'p', 0)).payload).toEqual({})
  })
})
