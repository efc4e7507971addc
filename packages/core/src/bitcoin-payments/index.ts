export {
  type BitcoinPaymentQuote,
  type BitcoinPreview,
  bitcoinPaymentKind,
  Replacement
} from "./BitcoinPaymentContent.ts"
export { BitcoinPaymentRequest } from "./BitcoinPaymentRequest.ts"
export { BitcoinPayments } from "./BitcoinPayments.ts"
export { replacementDetails } from "./bitcoinDetails.ts"
export { ConfirmationPolicy } from "./ConfirmationPolicy.ts"
export { FeePriority, rateText } from "./feeRates.ts"
