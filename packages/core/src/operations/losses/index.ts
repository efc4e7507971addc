export type { Admission } from "./admission.ts"
export type { PendingGas } from "./budgets.ts"
export { DECAY_MS } from "./decay.ts"
export { UnpaidGasLimit } from "./errors.ts"
export { Loss, LossCause, type LossScope } from "./Loss.ts"
export { Losses } from "./Losses.ts"
export { LossLimits } from "./LossLimits.ts"
export {
  type ChainLosses,
  type GasCost,
  LossStore,
  type LossSubject,
  type LossSum,
  type OwnerLoss,
  type RecentCosts,
  type StoredLoss,
  type TurnRequest
} from "./LossStore.ts"
export { type LossAccount, usdE6Of } from "./lossAccounts.ts"
export { lossOf, type SettledOperation } from "./lossOf.ts"
export type { Budget, LossReport, OperationWallet } from "./lossReports.ts"
export { UnpaidGas, unpaidGasOf } from "./UnpaidGas.ts"
