export {
  CollectedFees,
  collectFees,
  deductFees,
  FeeCollectors,
  type FeeDeduction,
  type FeePayment
} from "./CollectedFees.ts"
export { Fee } from "./Fee.ts"
export { ExtraFee, type FeeRequest, feeFields, GasFeePaymentMethod, Percentage } from "./FeeRequest.ts"
export { type FeeShare, feeShares } from "./feeShares.ts"
