export {
  CollectedFees,
  collectFees,
  deductFees,
  FeeCollectors,
  type FeeDeduction,
  type FeePayment,
  type FeeShare,
  feeShares
} from "./CollectedFees.ts"
export { Fee } from "./Fee.ts"
export { ExtraFee, type FeeRequest, feeFields, GasFeePaymentMethod } from "./FeeRequest.ts"
