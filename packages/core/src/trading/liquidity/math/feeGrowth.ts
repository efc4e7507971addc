/**
 * Fees of a pool per unit of liquidity, as Q128.128 numbers. As in the contract, they wrap at 2^256, so only
 * differences are meaningful.
 */

const WORD = 2n ** 256n
const MAX_UINT128 = 2n ** 128n - 1n

/** The difference of two wrapping numbers. */
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
  /** The fee growth on the side of the tick that does not have the current price. */
  readonly outside: FeeGrowth
}

/** The fee growth between two ticks, as in `Tick.getFeeGrowthInside`. */
export const feeGrowthInside = (lower: TickFees, upper: TickFees, tick: number, global: FeeGrowth): FeeGrowth => {
  const growthBelow = tick >= lower.index ? lower.outside : minus(global, lower.outside)
  const growthAbove = tick < upper.index ? upper.outside : minus(global, upper.outside)
  return minus(minus(global, growthBelow), growthAbove)
}

/**
 * Base units that liquidity has earned between two values of the fee growth in its range. Rounded down and truncated to
 * 128 bits, as in `Position.update`.
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
