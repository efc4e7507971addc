export { BitcoinSwapPreview } from "./BitcoinSwapPreview.ts"
export { SwapQuoteUnavailable } from "./errors.ts"
export { type Admission, HolderRules } from "./HolderRules.ts"
export { outputRecipientProblems } from "./outputRecipient.ts"
export { priceImpactE18 } from "./plan/priceImpact.ts"
export { rateRoundingDown } from "./plan/rate.ts"
export { guaranteedOutput, minAmountOutRoundingDown } from "./plan/swapPlan.ts"
export { type BridgeFill, BridgeFillStore, MAX_FILLS } from "./provider/BridgeFillStore.ts"
export {
  endpointContractsOf,
  type Market,
  type Offer,
  type OfferError,
  type OfferIntent,
  type OfferOutput,
  type OfferPayment,
  type OfferRequest,
  type OfferTerms,
  type OrderLimit,
  Route,
  RouteHop,
  RouteNotFound,
  RoutePart,
  type SkippedPool,
  type SwapProvider,
  SwapProviders
} from "./provider/Offer.ts"
export type { OfferRun } from "./provider/OfferRun.ts"
export type { ProviderHealth } from "./provider/ProviderHealth.ts"
export { Candidate, SwapContent, type SwapQuote, swapDetails, swapKind } from "./SwapContent.ts"
export { RouteProfile, SwapRequest, SwapSlippage } from "./SwapRequest.ts"
export { type ProviderReport, type SwapQuotes, SwapSettings, Swaps } from "./Swaps.ts"
export { swapTreatment } from "./taxTreatment.ts"
