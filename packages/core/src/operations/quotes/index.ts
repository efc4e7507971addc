export { AssetChange, assetChanges } from "./preparation/AssetChange.ts"
export { type ExpectedMovement, expectedMovements, paidFees } from "./preparation/expectedMovements.ts"
export { explainedBy } from "./preparation/explainedBy.ts"
export { lookUps, type Order } from "./preparation/lookUps.ts"
export type { MissingBalance, Spend } from "./preparation/missingBalances.ts"
export {
  type QuoteData,
  type OperationOrder,
  type PlanFor,
  Preparations,
  type PreparedOperation,
  type PrepareRequest,
  type QuoteRefusal
} from "./preparation/Preparations.ts"
export {
  contentOfPrepared,
  type DecodedQuote,
  executionMs,
  type PreparedPlan,
  preparedFields,
  quotedFields,
  quoteOfPrepared
} from "./preparation/preparedQuote.ts"
export { QuoteSettings } from "./preparation/QuoteSettings.ts"
export { RemainingAllowance } from "./preparation/RemainingAllowance.ts"
export {
  feeProblem,
  gasTokenProblem,
  noProblem,
  type Resolved,
  resolvedAmount,
  combineResolved
} from "./preparation/resolved.ts"
export { arrivingAmounts, type PlannedPayment, shortPaymentWarnings } from "./preparation/shortPayments.ts"
export { PlannedStage, Quote, type QuoteKind, quoteKind, signDataOf, Use, Warnings } from "./Quote.ts"
export { QuoteExists, QuoteStore, retryIfQuoteExists } from "./QuoteStore.ts"
export { quotedValue } from "./quotedValue.ts"
