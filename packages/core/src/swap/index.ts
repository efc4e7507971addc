export { IndividualVerificationRequired, SwapQuoteUnavailable } from "./errors.ts"
export {
  type Route,
  type RouteExecution,
  type RouteHop,
  RouteNotFound,
  type RouteRequest,
  type SwapProvider,
  SwapProviders
} from "./SwapProvider.ts"
export type { AssetChange, Candidate, CollectedFee, GasEstimate, SwapQuote, SwapQuotes } from "./SwapQuote.ts"
export { ExtraFee, GasFeePaymentMethod, RouteProfile, type SwapRequest } from "./SwapRequest.ts"
export { type SwapError, SwapSettings, Swaps } from "./Swaps.ts"
