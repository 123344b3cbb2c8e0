import { describe, expect, it } from 'vitest'
import { isAlive, renewalAt, restMs, type Tokens } from '../src/tokens.ts'

const RECEIVED = 1_000_000
const living = (lifetimeMs: number): Tokens => ({
  accessToken: 'a',
  userId: 'u',
  deviceId: 'd',
  gameId: 'g',
  tenantId: 't',
  receivedAt: RECEIVED,
  lifetimeMs,
})

describe('tokens', () => {
  it('are alive from the receipt to the end, and not by a clock that was set back', () => {
    const tokens = living(60_000)
    const instants = [RECEIVED - 1, RECEIVED, RECEIVED + 59_999, RECEIVED + 60_000]
    expect(instants.map((now) => isAlive(tokens, now))).toEqual([false, true, true, false])
  })

  it('are renewed a tenth of their life before the end, at most a minute', () => {
    expect([10_000, 600_000, 3_600_000].map((lifetimeMs) => renewalAt(living(lifetimeMs)) - RECEIVED)).toEqual([9000, 540_000, 3_540_000])
  })

  it('rest between two renewals for as long as they live, between a second and half a minute', () => {
    expect([0, 500, 5000, 3_600_000].map((lifetimeMs) => restMs(living(lifetimeMs)))).toEqual([1000, 1000, 5000, 30_000])
  })
})
