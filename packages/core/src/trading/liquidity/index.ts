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
  MAX_OWNED_POSITIONS,
  type MarketError,
  type OpenPool,
  type OpenPosition,
  type OutputFee,
  type Placement,
  type RebalanceRequest,
  type Rebalancing,
  type Withdrawal,
  type WithdrawRequest
} from "./LiquidityMarket.ts"
export {
  AddLiquidityRequest,
  CreateLiquidityRequest,
  RebalanceLiquidityRequest,
  WithdrawLiquidityRequest
} from "./LiquidityRequest.ts"
export { LiquidityYields, type PlannedLiquidity, type YieldEstimator } from "./LiquidityYields.ts"
export * from "./math/index.ts"
export { NftTokenIdText } from "./NftNumberText.ts"
export type { Position, PositionPool } from "./Position.ts"
export { LiquiditySettings } from "./plan/bounds.ts"
export { conventionOf, type DisplayPair, priceText } from "./plan/poolPrices.ts"
export {
  POSITION_ID,
  PositionDetails,
  positionDetails,
  positionSubject,
  withMintedPosition
} from "./positionDetails.ts"
export { depositTreatment, withdrawalTreatment } from "./taxTreatment.ts"
