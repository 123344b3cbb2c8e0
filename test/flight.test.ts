import { describe, expect, it } from 'vitest'
import { singleFlight } from '../src/flight.ts'

describe('singleFlight', () => {
  it('shares one run among calls that overlap, and starts another one after it', async () => {
    let runs = 0
    const fly = singleFlight(async () => ++runs)
    expect(await Promise.all([fly(), fly(), fly()])).toEqual([1, 1, 1])
    expect(await fly()).toBe(2)
  })

  it('shares a failure, and can be tried again', async () => {
    let runs = 0
    const fly = singleFlight(async () => {
      runs += 1
      if (runs === 1) throw new Error('first')
      return 'second'
    })
    const outcomes = await Promise.allSettled([fly(), fly()])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await fly()).toBe('second')
  })
})
