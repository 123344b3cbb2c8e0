// Single flight: calls that overlap share one run.

/** Calls share a run only within one `generation`: what began before a logout is not for those who ask after it. */
export function singleFlight<Args extends unknown[], T>(
  run: (...args: Args) => Promise<T>,
  generation: () => unknown = () => 0,
): (...args: Args) => Promise<T> {
  let flight: { of: unknown; result: Promise<T> } | undefined
  return (...args) => {
    const of = generation()
    if (flight && flight.of === of) return flight.result
    const mine = { of, result: run(...args) }
    flight = mine
    const land = () => {
      if (flight === mine) flight = undefined
    }
    mine.result.then(land, land)
    return mine.result
  }
}
