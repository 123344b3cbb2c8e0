import { describe, expect, it } from 'vitest'
import { backoffMs } from '../src/retry.ts'

describe('backoffMs', () => {
  it('is jittered over its whole range', () => {
    expect([backoffMs(1, 0), backoffMs(1, 0.999999)]).toEqual([500, 2000])
    expect([backoffMs(5, 0), backoffMs(5, 0.5)]).toEqual([500, 16_250])
  })

  it.each([9, 20, 1000, Number.MAX_SAFE_INTEGER])('stays within five minutes after %i failures', (failures) => {
    expect(backoffMs(failures, 0.999999)).toBeLessThanOrEqual(300_000)
    expect(backoffMs(failures, 0.999999)).toBeGreaterThan(299_000)
  })
})
