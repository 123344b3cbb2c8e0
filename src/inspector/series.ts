// The buffer over time: the last samples of the counts, and what came and went between them. Samples may be uneven: a page that is
// hidden is not sampled.

export interface Sample {
  /** Epoch ms. */
  at: number
  /** Waiting at that time. */
  buffered: number
  /** Since the start of the player. */
  delivered: number
  dropped: number
}

/** What happened within one slice of time. */
export interface Flow {
  delivered: number
  dropped: number
}

export interface Series {
  /** Older samples than the span go, except the last of them, from which the line enters. */
  add(sample: Sample): void
  readonly samples: readonly Sample[]
  /** The flows of the span that ends at `now`, in so many slices of the same length, the oldest first. */
  flows(now: number, slices: number): Flow[]
}

export function createSeries(spanMs: number): Series {
  let samples: Sample[] = []
  return {
    add(sample) {
      const last = samples[samples.length - 1]
      // A clock that was set back: what is known has no place on the axis any more.
      if (last && sample.at < last.at) samples = []
      samples.push(sample)
      while (samples.length > 2 && (samples[1] as Sample).at < sample.at - spanMs) samples.shift()
    },
    get samples() {
      return samples
    },
    flows(now, slices) {
      const flows: Flow[] = Array.from({ length: slices }, () => ({ delivered: 0, dropped: 0 }))
      samples.forEach((sample, at) => {
        const before = samples[at - 1]
        const flow = flows[Math.min(slices - 1, Math.floor(((sample.at - (now - spanMs)) / spanMs) * slices))]
        if (!before || !flow) return
        flow.delivered += sample.delivered - before.delivered
        flow.dropped += sample.dropped - before.dropped
      })
      return flows
    },
  }
}
