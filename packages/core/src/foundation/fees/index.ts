export {
  CollectedFees,
  collectFees,
  deductFees as divideByFees,
  FeeCollectors,
  type FeeDeduction as FeeDivision,
  type FeePayment,
  type FeeShare,
  feeShares
} from "./CollectedFees.ts"
export { Fee } from "./Fee.ts"
export { ExtraFee, type FeeRequest, feeFields, GasFeePaymentMethod } from "./FeeRequest.ts"
