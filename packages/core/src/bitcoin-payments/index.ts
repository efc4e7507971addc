export { BitcoinBroadcasts } from "./BitcoinBroadcasts.ts"
export {
  type BitcoinPaymentQuote,
  type BitcoinPreview,
  bitcoinPaymentKind,
  Replacement
} from "./BitcoinPaymentContent.ts"
export { BitcoinPaymentRequest } from "./BitcoinPaymentRequest.ts"
export { bitcoinPaymentStage } from "./BitcoinPaymentStage.ts"
export { BitcoinPayments } from "./BitcoinPayments.ts"
export { replacementDetails } from "./bitcoinDetails.ts"
export { bitcoinTransactionKind } from "./bitcoinTransactionKind.ts"
export { ConfirmationPolicy, confirmationsFor } from "./ConfirmationPolicy.ts"
export { BitcoinQuoteNotFound, BroadcastFailed, ExpiredBitcoinQuote } from "./errors.ts"
export { FeePriority, rateText } from "./feeRates.ts"
export { upstream } from "./walletCoins.ts"
