export { PoolNotFound, PositionNotFound } from "./errors.ts"
export { APR_DAYS, type AprTerms, earnedAprRoundingDown, estimatedAprRoundingDown } from "./estimatedApr.ts"
export { usdE6RoundingDown } from "./hourValues.ts"
export * as IndexedPoolStatistics from "./IndexedPoolStatistics.ts"
export { BlockMark, IndexProgress } from "./IndexProgress.ts"
export { type LiquidityPool, type PoolSide, usdTextOrNull } from "./LiquidityPool.ts"
export { LiquidityPools, layerYields, type PoolPage, type PoolRequest } from "./LiquidityPools.ts"
export { type LiquidityPosition, LiquidityPositions, type PositionRequest } from "./LiquidityPositions.ts"
export { type Amounts, hourSum, type PoolEvent, type PoolHour } from "./PoolActivity.ts"
export { BlockGone, type BlockRange, type EventsOfRange, PoolEvents, RangeRefused } from "./PoolEvents.ts"
export { PoolIndexing } from "./PoolIndexing.ts"
export { type IndexedPool, type IndexStep, PoolIndexStore } from "./PoolIndexStore.ts"
export { type FoundPools, PoolMarket, type PoolState } from "./PoolMarket.ts"
export { type PoolPlace, PoolRef } from "./PoolRef.ts"
export {
  nothingKnown,
  PoolStatistics,
  type PoolStatisticsOverRange,
  type PricedPoolRef,
  type PricedSide
} from "./PoolStatistics.ts"
export { PositionHistory, type PositionPast } from "./PositionHistory.ts"
export { placeOfId, poolId } from "./poolId.ts"
export { priceRoundingDown } from "./poolPrice.ts"
export type { PoolSearch } from "./poolSearch.ts"
