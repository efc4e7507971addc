export {
  type ConcentratedPool,
  type InitializedTick,
  NO_PROTOCOL_FEE,
  swapFeePips,
  tickToWord
} from "./ConcentratedPool.ts"
export type { ConstantProductPool } from "./ConstantProductPool.ts"
export {
  type BestDepositSplit,
  bestDepositSplit,
  type DepositSplit,
  type InsufficientLiquidity
} from "./depositSplit.ts"
export { type FeeGrowth, feeGrowthInside, feesEarnedRoundingDown, type TickFees } from "./feeGrowth.ts"
export {
  amountsForLiquidityRoundingDown,
  amountsForLiquidityRoundingUp,
  liquidityByToken,
  liquidityForAmountsRoundingDown,
  type PriceRange,
  type TokenAmounts
} from "./liquidityAmounts.ts"
export { type Pool, swapThrough } from "./Pool.ts"
export {
  type PriceConvention,
  priceAtTick,
  sqrtPriceX96Of,
  type TickRange,
  tickAtPriceRoundingDown,
  tickRangeAround
} from "./priceRange.ts"
export type { SwapOutcome } from "./SwapOutcome.ts"
export { burnMinimums, mintMinimums, pricesWithin } from "./slippagePrices.ts"
export { largestOutputRoundingUp, swapConcentrated } from "./swapConcentrated.ts"
export {
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  sqrtPriceX96AtTick,
  tickAtSqrtPriceX96,
  usableTickEnds
} from "./tickMath.ts"
export { type TickGross, withoutLiquidity } from "./withoutLiquidity.ts"
