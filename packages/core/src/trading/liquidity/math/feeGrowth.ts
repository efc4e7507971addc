/**
 * A pool's fees per unit of liquidity, as Q128.128 numbers. They wrap at 2^256 as in the contract, so only differences
 * are meaningful.
 */

const WORD = 2n ** 256n
const MAX_UINT128 = 2n ** 128n - 1n

/** Returns the difference between two values that wrap at 2^256. */
const growthSinceX128 = (currentGrowth: bigint, earlierGrowth: bigint): bigint =>
  (currentGrowth - earlierGrowth + WORD) % WORD

/** The fee growth in each token. */
export interface FeeGrowth {
  readonly feeGrowth0X128: bigint
  readonly feeGrowth1X128: bigint
}

const subtractGrowth = (a: FeeGrowth, b: FeeGrowth): FeeGrowth => ({
  feeGrowth0X128: growthSinceX128(a.feeGrowth0X128, b.feeGrowth0X128),
  feeGrowth1X128: growthSinceX128(a.feeGrowth1X128, b.feeGrowth1X128)
})

export interface TickFees {
  readonly index: number
  /** The fee growth on the other side of the tick than the current price. */
  readonly outside: FeeGrowth
}

/** Returns the fee growth between two ticks, as `Tick.getFeeGrowthInside` does. */
export const feeGrowthInside = (lower: TickFees, upper: TickFees, tick: number, global: FeeGrowth): FeeGrowth => {
  const growthBelow = tick >= lower.index ? lower.outside : subtractGrowth(global, lower.outside)
  const growthAbove = tick < upper.index ? upper.outside : subtractGrowth(global, upper.outside)
  return subtractGrowth(subtractGrowth(global, growthBelow), growthAbove)
}

/**
 * Returns the base units that liquidity has earned while the fee growth in its range changed from one value to another.
 * Rounded down and truncated to 128 bits, as in `Position.update`.
 */
export const feesEarnedRoundingDown = (
  currentGrowth: FeeGrowth,
  earlierGrowth: FeeGrowth,
  liquidity: bigint
): { readonly amount0: bigint; readonly amount1: bigint } => {
  const { feeGrowth0X128, feeGrowth1X128 } = subtractGrowth(currentGrowth, earlierGrowth)
  return {
    amount0: ((feeGrowth0X128 * liquidity) >> 128n) & MAX_UINT128,
    amount1: ((feeGrowth1X128 * liquidity) >> 128n) & MAX_UINT128
  }
}
