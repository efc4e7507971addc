export type { Admission } from "./admission.ts"
export type { PendingGas } from "./budgets.ts"
export { DECAY_MS } from "./decay.ts"
export { UnpaidGasLimit } from "./errors.ts"
export { gasEntryOf, type SettledOperation } from "./gasEntryOf.ts"
export { MaxUnpaidGas, maxUnpaidGasOf } from "./MaxUnpaidGas.ts"
export { UnpaidGasCause, UnpaidGasEntry, type UnpaidGasScope } from "./UnpaidGasEntry.ts"
export { UnpaidGasLedger } from "./UnpaidGasLedger.ts"
export { UnpaidGasLimits } from "./UnpaidGasLimits.ts"
export {
  type ChainUnpaidGas,
  type GasCost,
  type OwnerUnpaidGas,
  type RecentCosts,
  type StoredGasEntry,
  type ThrottleRequest,
  UnpaidGasStore,
  type UnpaidGasSubject,
  type UnpaidGasSum
} from "./UnpaidGasStore.ts"
export { type UnpaidGasAccount, usdE6Of } from "./unpaidGasAccounts.ts"
export type { Budget, OperationWallet, UnpaidGasReport } from "./unpaidGasReports.ts"
