import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinEvents, parseSegmentKey, type Segment, segmentKey, splitEvents } from '../src/segment.ts'

const segment = fc.record<Segment>({
  player: fc.string({ unit: 'grapheme' }),
  lane: fc.uuid(),
  sequence: fc.nat(),
  priority: fc.constantFrom('ordinary', 'critical'),
  events: fc.integer({ min: 1, max: 500 }),
  bytes: fc.nat(),
  oldestAt: fc.integer({ min: -1e12, max: 2e12 }),
})

describe('a segment’s key', () => {
  it('carries its facts there and back, whatever the player is called', () => {
    fc.assert(
      fc.property(segment, (each) => {
        expect(parseSegmentKey('ns/', segmentKey('ns/', each))).toEqual(each)
      }),
    )
  })

  it('tells players apart', () => {
    const key = (player: string) =>
      segmentKey('', { player, lane: 'l', sequence: 0, priority: 'ordinary', events: 1, bytes: 1, oldestAt: 1 })
    expect(new Set(['', '/', '%', '%2f', '%25', 'a/b', 'a%2fb'].map(key)).size).toBe(7)
  })

  it.each(['', 'p', 'p/l/0/o/1/2', 'p/l/0/o/1/2/3/4', 'p//0/o/1/2/3', 'p/l/x/o/1/2/3', 'p/l/0/o/0/2/3', 'p/l/0/o/1/x/3', 'p/l/-1/o/1/2/3'])(
    '%j is none',
    (key) => expect(parseSegmentKey('ns/', `ns/${key}`)).toBeUndefined(),
  )
})

describe('a segment’s body', () => {
  it('comes apart into the same JSON texts', () => {
    const event = fc.json({ stringUnit: 'binary' }).map((json) => JSON.stringify({ payload: JSON.parse(json), text: 'a,\nb' }))
    fc.assert(
      fc.property(fc.array(event, { minLength: 1 }), (texts) => {
        expect(splitEvents(joinEvents(texts))).toEqual(texts)
        expect(JSON.parse(`[${joinEvents(texts)}]`)).toEqual(texts.map((text) => JSON.parse(text)))
      }),
    )
  })
})
