export { AssetChange, assetChanges } from "./preparation/AssetChange.ts"
export {
  type ExpectedMovement,
  expectedMovements,
  feeMovementsOf
} from "./preparation/expectedMovements.ts"
export { lookUps, type ResolvedRequest } from "./preparation/lookUps.ts"
export type { MissingBalance, SpentAmount } from "./preparation/missingBalances.ts"
export {
  type OperationOrder,
  type PlanParameters,
  Preparations,
  type PreparedOperation,
  type PrepareRequest,
  type QuoteData,
  type QuoteRefusal
} from "./preparation/Preparations.ts"
export {
  type DecodedQuote,
  estimateExecutionMs,
  type PreparedPlan,
  preparedContent,
  preparedFields,
  preparedQuoteOf,
  quotedFields
} from "./preparation/preparedQuote.ts"
export { QuoteSettings } from "./preparation/QuoteSettings.ts"
export { RemainingAllowance } from "./preparation/RemainingAllowance.ts"
export {
  combineResults,
  feeProblem,
  gasTokenProblem,
  requireNoProblems,
  resolveAmount,
  type ValidationResult
} from "./preparation/requestValidation.ts"
export { arrivingAmounts, type PlannedPayment, shortPaymentWarnings } from "./preparation/shortPayments.ts"
export { withExplanation } from "./preparation/withExplanation.ts"
export { PlannedStage, Quote, type QuoteKind, quoteKind, signDataOf, Use, Warnings } from "./Quote.ts"
export { QuoteExists, QuoteStore, retryIfQuoteExists } from "./QuoteStore.ts"
export { quotedValue } from "./quotedValue.ts"
