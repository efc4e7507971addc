export { BlockchainError, LiquidityRefusal } from "./errors.ts"
export { Liquidity } from "./Liquidity.ts"
export type {
  AddLiquidityContent,
  CreateLiquidityContent,
  LiquidityQuote,
  RebalanceLiquidityContent,
  WithdrawLiquidityContent
} from "./LiquidityContent.ts"
export {
  type Deposit,
  LiquidityMarket,
  type LiquidityTerms,
  type MarketError,
  type OpenPool,
  type OpenPosition,
  type Placement,
  type RebalanceRequest as PositionRebalance,
  type Rebalancing,
  type ShareOfOutput,
  type Withdrawal,
  type WithdrawRequest as PositionWithdrawal
} from "./LiquidityMarket.ts"
export {
  AddLiquidityRequest,
  CreateLiquidityRequest,
  RebalanceLiquidityRequest,
  WithdrawLiquidityRequest
} from "./LiquidityRequest.ts"
export { LiquidityYields, type PlannedLiquidity, type YieldOf } from "./LiquidityYields.ts"
export {
  amountsForLiquidityRoundingDown,
  amountsForLiquidityRoundingUp,
  type BestDivision,
  bestDivision,
  burnMinimums,
  type ConcentratedPool,
  type ConstantProductPool,
  concentratedToPrice,
  type Division,
  type FeeGrowth,
  feeGrowthInside,
  feesEarnedRoundingDown,
  type InitializedTick,
  largestOutputRoundingUp,
  liquidityByToken,
  liquidityForAmountsRoundingDown,
  liquidityWithDelta,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  maxLiquidityPerTick,
  mintMinimums,
  NO_PROTOCOL_FEE,
  type Pool,
  type PriceConvention,
  type PriceRange,
  priceAtTick,
  pricesWithin,
  type SwapOutcome,
  sqrtPriceX96AtTick,
  sqrtPriceX96Of,
  swapConcentrated,
  swapFeePips,
  swapThrough,
  swapToMarginalOutput,
  type TickFees,
  type TickGross,
  type TickRange,
  type TokenAmounts,
  type TooMuch,
  tickAtPriceRoundingDown,
  tickAtSqrtPriceX96,
  tickRangeAround,
  usableTickEnds,
  withoutLiquidity,
  wordOfTick
} from "./math/index.ts"
export { NftNumberText } from "./NftNumberText.ts"
export type { Position, PositionPool } from "./Position.ts"
export { LiquiditySettings } from "./plan/bounds.ts"
export { conventionOf, type NamedPair, priceText } from "./plan/poolPrices.ts"
