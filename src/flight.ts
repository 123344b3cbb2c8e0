// Single flight: calls that overlap share one run.

export function singleFlight<Args extends unknown[], T>(run: (...args: Args) => Promise<T>): (...args: Args) => Promise<T> {
  let flight: Promise<T> | undefined
  const land = () => {
    flight = undefined
  }
  return (...args) => {
    if (!flight) {
      flight = run(...args)
      flight.then(land, land)
    }
    return flight
  }
}
