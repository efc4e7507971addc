import { Effect } from "effect"

/** Precision of the search in bits: first by factors of 16, then to 1/16 of the amount. */
const COARSE_BITS = 4n
const FINE_STEPS = 4

/**
 * Finds the largest amount below `tooMuch` for which `works` returns true, provided that it also returns true for
 * smaller amounts. The result is at most 1/16 too low; zero if the search finds none. Each step computes a route, so
 * the search is only used to explain a rejection. Yields to other fibers between steps.
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
    const middleAmount = (low + high) / 2n
    if (works(middleAmount)) low = middleAmount
    else high = middleAmount
    yield* Effect.yieldNow
  }
  return low
})
