import type { ConcentratedPool } from "@countersign/core/liquidity"
import { swapConcentrated } from "@countersign/core/liquidity"
import type { Address } from "@countersign/core/primitives"

/** Pools to go through, in order. */
export type Path = ReadonlyArray<ConcentratedPool>

const joins = (pool: ConcentratedPool, a: Address, b: Address): boolean =>
  (pool.token0 === a && pool.token1 === b) || (pool.token0 === b && pool.token1 === a)

/** Every way from one token to the other: directly, and over each of the intermediate tokens. */
export const pathsBetween = (
  pools: ReadonlyArray<ConcentratedPool>,
  tokenIn: Address,
  tokenOut: Address,
  intermediates: ReadonlyArray<Address>
): ReadonlyArray<Path> => {
  const poolsBetween = (a: Address, b: Address) => pools.filter((pool) => joins(pool, a, b))
  const direct = poolsBetween(tokenIn, tokenOut).map((pool) => [pool])
  const overOne = intermediates.flatMap((middle) => {
    const second = poolsBetween(middle, tokenOut)
    return poolsBetween(tokenIn, middle).flatMap((first) => second.map((pool) => [first, pool]))
  })
  return [...direct, ...overOne]
}

export type PathOutcome =
  /** `path` has the pools as the swap leaves them. */
  | { readonly _tag: "Swapped"; readonly amountOut: bigint; readonly path: Path }
  | { readonly _tag: "TicksMissing"; readonly pool: ConcentratedPool; readonly word: number }
  | { readonly _tag: "InsufficientLiquidity" }

/** The output of an exact input after every pool of a path. */
export const swapAlong = (path: Path, tokenIn: Address, amountIn: bigint): PathOutcome => {
  let token = tokenIn
  let amount = amountIn
  const pathAfter: Array<ConcentratedPool> = []
  for (const pool of path) {
    const zeroForOne = token === pool.token0
    const outcome = swapConcentrated(pool, zeroForOne, amount, true)
    if (outcome._tag === "TicksMissing") return { _tag: "TicksMissing", pool, word: outcome.word }
    if (outcome._tag === "InsufficientLiquidity") return outcome
    // An input too small to buy one unit can't go on.
    if (outcome.amountOut === 0n) return { _tag: "InsufficientLiquidity" }
    pathAfter.push(outcome.poolAfter())
    amount = outcome.amountOut
    token = zeroForOne ? pool.token1 : pool.token0
  }
  return { _tag: "Swapped", amountOut: amount, path: pathAfter }
}

/** Steps of the search: first by sixteens, then to within a sixteenth of the amount. */
const COARSE_BITS = 4n
const FINE_STEPS = 4

/**
 * The largest amount, to within a sixteenth below, that a path takes where it does not take `tooMuch`; zero where it takes
 * none. It crosses every tick of the path's pools at each step, so that it's for a refusal alone.
 */
export const largestAmountRoundingDown = (path: Path, tokenIn: Address, tooMuch: bigint): bigint => {
  const works = (amount: bigint) => amount > 0n && swapAlong(path, tokenIn, amount)._tag === "Swapped"
  let high = tooMuch
  let low = tooMuch >> COARSE_BITS
  while (low > 0n && !works(low)) {
    high = low
    low >>= COARSE_BITS
  }
  if (low === 0n) return 0n
  for (let step = 0; step < FINE_STEPS + Number(COARSE_BITS); step++) {
    const middle = (low + high) / 2n
    if (works(middle)) low = middle
    else high = middle
  }
  return low
}
