export { BitcoinBroadcasts } from "./BitcoinBroadcasts.ts"
export {
  type BitcoinPaymentQuote,
  type BitcoinPreview,
  bitcoinPaymentKind,
  Replacement
} from "./BitcoinPaymentContent.ts"
export { BitcoinPaymentRequest, FURTHER_RECEIVERS_MAX } from "./BitcoinPaymentRequest.ts"
export { bitcoinPaymentStage } from "./BitcoinPaymentStage.ts"
export { BitcoinPayments } from "./BitcoinPayments.ts"
export { replacedByDetails, replacementDetails } from "./bitcoinDetails.ts"
export { bitcoinTransactionKind } from "./bitcoinTransactionKind.ts"
export { ConfirmationPolicy, confirmationsFor } from "./ConfirmationPolicy.ts"
export { depositReorg } from "./depositReorg.ts"
export { BitcoinQuoteNotFound, BroadcastFailed, ExpiredBitcoinQuote } from "./errors.ts"
export { FeePriority, toSatPerVByte } from "./feeRates.ts"
export type { FixedUtxos } from "./fixedUtxos.ts"
export { keyWarnings } from "./keyWarnings.ts"
export { MEMPOOL_EXPIRY_MS } from "./trackedPayment.ts"
export { outpointText, quotedInputs } from "./usableUtxos.ts"
export { utxoConflicts } from "./utxoConflicts.ts"
export { type Deposit, type DepositOrder, type DepositPlan, depositStage, walletDeposits } from "./walletDeposits.ts"
export { mapToUpstream } from "./walletUtxos.ts"
