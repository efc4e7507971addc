import { Effect } from "effect"

/** Precision of the search: first by factors of sixteen, then to a sixteenth of the amount. */
const COARSE_BITS = 4n
const FINE_STEPS = 4

/**
 * The largest supported amount for which `tooMuch` is false, at most a sixteenth too low; zero if there is none. It
 * computes a route per step, so it is only used to explain a rejection. It yields to other work between steps.
 */
export const largestAmountRoundingDown = Effect.fnUntraced(function* (
  tooMuch: bigint,
  works: (amount: bigint) => boolean
) {
  let high = tooMuch
  let low = tooMuch >> COARSE_BITS
  while (low > 0n && !works(low)) {
    high = low
    low >>= COARSE_BITS
    yield* Effect.yieldNow
  }
  if (low === 0n) return 0n
  for (let step = 0; step < FINE_STEPS + Number(COARSE_BITS); step++) {
    const middle = (low + high) / 2n
    if (works(middle)) low = middle
    else high = middle
    yield* Effect.yieldNow
  }
  return low
})
