export { Lending } from "./Lending.ts"
export { LendingContent, type LendingQuote, type QuotedLeg } from "./LendingContent.ts"
export {
  type LendingFigures,
  type LendingLeg,
  type LendingLegs,
  type LendingMarket,
  type LendingMarketInfo,
  LendingMarkets,
  type LendingOffer,
  type LendingOutcome,
  type LendingPosition,
  type LendingTerms,
  type Liquidation,
  type LiquidationPrice,
  type LiquidationSearch
} from "./LendingMarket.ts"
export { LendingProviderId, LendingRequest, LendingSide, lendingFields } from "./LendingRequest.ts"
export { LendingSettings } from "./LendingSettings.ts"
export { type LendingAction, LendingType, lendingActions } from "./LendingType.ts"
export { lendingDetails } from "./lendingDetails.ts"
export { Liquidations } from "./liquidations/Liquidations.ts"
export { type DueLoan, LoanStore, type RecordedLiquidation, type WatchedLoan } from "./liquidations/LoanStore.ts"
export { LoanUpkeep } from "./liquidations/LoanUpkeep.ts"
export type { FailedQuery, ListedResults, ProviderItem } from "./listedOn.ts"
export { lendingTreatment, liquidationTreatment } from "./taxTreatment.ts"
