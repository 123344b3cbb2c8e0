import { describe, expect, it } from 'vitest'
import { createSeries } from '../../src/inspector/series.ts'

const sample = (at: number, buffered = 0, delivered = 0, dropped = 0) => ({ at, buffered, delivered, dropped })

describe('a series', () => {
  it('keeps the span, and one sample before it from which the line enters', () => {
    const series = createSeries(1000)
    for (let at = 0; at <= 5000; at += 250) series.add(sample(at))
    expect(series.samples.map(({ at }) => at)).toEqual([3750, 4000, 4250, 4500, 4750, 5000])
  })

  it('stays small over a day', () => {
    const series = createSeries(60_000)
    for (let at = 0; at < 86_400_000; at += 250) series.add(sample(at))
    expect(series.samples.length).toBeLessThan(250)
  })

  it('tells what went in each slice, and leaves out what was before the first sample', () => {
    const series = createSeries(60_000)
    series.add(sample(10_100, 5, 100, 1))
    series.add(sample(10_900, 2, 103, 1))
    series.add(sample(11_000, 2, 104, 3))
    series.add(sample(11_900, 0, 106, 3))
    series.add(sample(13_000, 9, 106, 3))
    expect(series.flows(1000)).toEqual([
      { at: 10_000, delivered: 3, dropped: 0 },
      { at: 11_000, delivered: 3, dropped: 2 },
    ])
  })

  it('starts anew when the clock was set back', () => {
    const series = createSeries(60_000)
    series.add(sample(50_000))
    series.add(sample(20_000))
    expect(series.samples.map(({ at }) => at)).toEqual([20_000])
  })
})
