// The one corrected clock: for signing, expiry and event times. Phones are hours off; the service's replies tell by how much.
// Each reply is a sample with an error bar: the `Date` header's second, or the token's `iat`, plus half the round trip. The sample with
// the smallest bar wins; one that contradicts it wins too, since then the device's clock has been moved.

export interface Clock {
  /** Epoch milliseconds, corrected. */
  now(): number
  /** How far the device is behind the service (positive) or ahead of it (negative). 0 while unknown or not worth a correction. */
  offsetMs(): number
  /** Whether any reply has told the time. */
  readonly known: boolean
  /** Takes the service's time `at`, as it was told in a second's precision, between the sending and the receiving (device clock). */
  learn(at: number, sentAt: number, receivedAt: number): void
}

/** `deviceNow` is the device's own clock. */
export function createClock(deviceNow: () => number): Clock {
  let best: { offset: number; bar: number } | undefined

  return {
    now: () => deviceNow() + offsetOf(best),
    offsetMs: () => offsetOf(best),
    get known() {
      return best !== undefined
    },
    learn(at, sentAt, receivedAt) {
      if (!(receivedAt >= sentAt) || !Number.isFinite(at)) return // the clock jumped under way, or the header was junk
      const half = (receivedAt - sentAt) / 2
      // The service cut its time down to the second: on average half a second has gone.
      const sample = { offset: at + 500 - (sentAt + half), bar: half + 500 }
      if (!best || sample.bar <= best.bar || Math.abs(sample.offset - best.offset) > sample.bar + best.bar) best = sample
    },
  }
}

/** An offset within its own error bar is none. */
function offsetOf(sample: { offset: number; bar: number } | undefined): number {
  return sample && Math.abs(sample.offset) > sample.bar ? Math.round(sample.offset) : 0
}
