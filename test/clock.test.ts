import { describe, expect, it } from 'vitest'
import { createClock } from '../src/clock.ts'

const HOUR = 3_600_000
/** The service's `Date` header at an instant: the second that it falls in. */
const told = (at: number) => Math.floor(at / 1000) * 1000

describe('createClock', () => {
  it('is the device’s own before any reply', () => {
    const clock = createClock(() => 5000)
    expect([clock.now(), clock.offsetMs(), clock.known]).toEqual([5000, 0, false])
  })

  it.each([2 * HOUR, -2 * HOUR, 240 * HOUR])('corrects a device that is %i ms off, to within the error of one sample', (off) => {
    const real = 1_772_366_400_730
    const clock = createClock(() => real + 100 + off)
    clock.learn(told(real + 50), real + off, real + 100 + off)
    expect(Math.abs(clock.now() - (real + 100))).toBeLessThanOrEqual(550)
    expect(Math.abs(clock.offsetMs() + off)).toBeLessThanOrEqual(550)
    expect(clock.known).toBe(true)
  })

  it('leaves a device alone whose clock agrees', () => {
    const real = 1_772_366_400_730
    const clock = createClock(() => real)
    clock.learn(told(real), real - 200, real)
    expect([clock.offsetMs(), clock.known]).toEqual([0, true])
  })

  it('prefers the sample of the shorter round trip', () => {
    const clock = createClock(() => 0)
    clock.learn(told(HOUR + 1000), 0, 2000)
    const first = clock.offsetMs()
    clock.learn(told(HOUR + 4000), 4000, 4010)
    const better = clock.offsetMs()
    expect(better).not.toBe(first)
    clock.learn(told(HOUR + 6000), 5000, 8000)
    expect(clock.offsetMs()).toBe(better)
  })

  it('follows a device whose clock was moved, whatever the round trip', () => {
    let now = 10_000
    const clock = createClock(() => now)
    clock.learn(told(now), now - 5, now)
    expect(clock.offsetMs()).toBe(0)
    now += 2 * HOUR
    clock.learn(told(12_000), now - 4000, now)
    expect(Math.abs(clock.now() - 12_000)).toBeLessThan(4500)
  })

  it.each([
    ['junk', Number.NaN, 0, 10],
    ['a clock that jumped back under way', 50_000, 100, 20],
  ])('ignores %s', (_, at, sentAt, receivedAt) => {
    const clock = createClock(() => 0)
    clock.learn(at, sentAt, receivedAt)
    expect([clock.known, clock.offsetMs()]).toEqual([false, 0])
  })
})
