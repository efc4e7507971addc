export {
  CollectedFees,
  collectFees,
  FeeCollectors,
  type FeePayment,
  feePayments,
  listedFees
} from "./CollectedFees.ts"
export { Fee } from "./Fee.ts"
export { ExtraFee, type FeeRequest, feeFields, GasFeePaymentMethod } from "./FeeRequest.ts"
export { type FeeSplit, type FeeTerms, feeSplit } from "./feeSplit.ts"
