/**
 * Fees of a pool for one unit of liquidity, as Q128.128 numbers that wrap at 2^256 as they do in the contract: only
 * differences between two of them mean something.
 */

const WORD = 2n ** 256n
const MAX_UINT128 = 2n ** 128n - 1n

/** The difference of two numbers that wrap. */
const sinceX128 = (now: bigint, then: bigint): bigint => (now - then + WORD) % WORD

/** Fee growth of both tokens. */
export interface FeeGrowth {
  readonly feeGrowth0X128: bigint
  readonly feeGrowth1X128: bigint
}

const minus = (a: FeeGrowth, b: FeeGrowth): FeeGrowth => ({
  feeGrowth0X128: sinceX128(a.feeGrowth0X128, b.feeGrowth0X128),
  feeGrowth1X128: sinceX128(a.feeGrowth1X128, b.feeGrowth1X128)
})

export interface TickFees {
  readonly index: number
  /** On the side of the tick where the price is not, as far as the tick has seen. */
  readonly outside: FeeGrowth
}

/** The growth of fees between two ticks: `Tick.getFeeGrowthInside`. */
export const feeGrowthInside = (lower: TickFees, upper: TickFees, tick: number, global: FeeGrowth): FeeGrowth => {
  const below = tick >= lower.index ? lower.outside : minus(global, lower.outside)
  const above = tick < upper.index ? upper.outside : minus(global, upper.outside)
  return minus(minus(global, below), above)
}

/**
 * Base units that liquidity has earned while the growth inside of its range went from one value to another. Rounded down,
 * and cut to 128 bits, as in `Position.update`.
 */
export const feesEarnedRoundingDown = (
  now: FeeGrowth,
  then: FeeGrowth,
  liquidity: bigint
): { readonly amount0: bigint; readonly amount1: bigint } => {
  const { feeGrowth0X128, feeGrowth1X128 } = minus(now, then)
  return {
    amount0: ((feeGrowth0X128 * liquidity) >> 128n) & MAX_UINT128,
    amount1: ((feeGrowth1X128 * liquidity) >> 128n) & MAX_UINT128
  }
}
