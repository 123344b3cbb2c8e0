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
  /** The start of the slice, epoch ms. */
  at: number
  delivered: number
  dropped: number
}

export interface Series {
  /** Older samples than the span go, except the last of them, from which the line enters. */
  add(sample: Sample): void
  readonly samples: readonly Sample[]
  /** What happened, in slices of that length; those in which nothing did are left out. A slice starts at a whole multiple of its length. */
  flows(sliceMs: number): Flow[]
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
    flows(sliceMs) {
      const flows: Flow[] = []
      samples.forEach((sample, index) => {
        const before = samples[index - 1]
        if (!before || (sample.delivered === before.delivered && sample.dropped === before.dropped)) return
        const at = Math.floor(sample.at / sliceMs) * sliceMs
        let flow = flows[flows.length - 1]
        if (flow?.at !== at) {
          flow = { at, delivered: 0, dropped: 0 }
          flows.push(flow)
        }
        flow.delivered += sample.delivered - before.delivered
        flow.dropped += sample.dropped - before.dropped
      })
      return flows
    },
  }
}
