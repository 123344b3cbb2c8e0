import { describe, expect, it } from 'vitest'
import { nearestCorner, nextCorner } from '../../src/inspector/dock.ts'
import { bytesText, countText, durationText, expiryText, offsetText, spanText } from '../../src/inspector/figure.ts'

describe('figures', () => {
  it.each([
    [countText(7), '7'],
    [countText(1234567), '1\u202f234\u202f567'],
    [bytesText(999), '999 B'],
    [bytesText(3140), '3.1 KB'],
    [bytesText(5e6), '5.0 MB'],
    [spanText(59_999), '59 s'],
    [spanText(3_572_000), '59 min 32 s'],
    [spanText(7_380_000), '2 h 3 min'],
    [spanText(900_000_000), '10 d 10 h'],
    [durationText(84.4), '84 ms'],
    [durationText(1234), '1.2 s'],
    [expiryText(61_000, 1000), 'in 1 min 0 s'],
    [expiryText(1000, 4000), '3 s ago'],
    [offsetText(0), 'in step, or not yet known'],
    [offsetText(-640), 'in step (−640 ms)'],
    [offsetText(7_200_000), 'device is 2 h 0 min behind'],
    [offsetText(-90_000), 'device is 1 min 30 s ahead'],
  ])('%s', (text, expected) => expect(text).toBe(expected))
})

describe('corners', () => {
  it.each([
    [10, 10, 'top-left'],
    [90, 10, 'top-right'],
    [10, 90, 'bottom-left'],
    [90, 90, 'bottom-right'],
  ] as const)('%i, %i of a field of 100 is near %s', (x, y, corner) => expect(nearestCorner(x, y, 100, 100)).toBe(corner))

  it('are all gone through', () => {
    let corner = nearestCorner(0, 0, 2, 2)
    const seen = new Set<string>()
    for (let turn = 0; turn < 4; turn += 1) {
      seen.add(corner)
      corner = nextCorner(corner)
    }
    expect([seen.size, corner]).toEqual([4, 'top-left'])
  })
})
