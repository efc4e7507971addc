export type { Admission } from "./admission.ts"
export type { PendingGas } from "./budgets.ts"
export { DECAY_MS } from "./decay.ts"
export { UnpaidGasLimit } from "./errors.ts"
export { UnpaidGasEntry, UnpaidGasCause, type UnpaidGasScope } from "./UnpaidGasEntry.ts"
export { UnpaidGasLedger } from "./UnpaidGasLedger.ts"
export { UnpaidGasLimits } from "./UnpaidGasLimits.ts"
export {
  type ChainUnpaidGas,
  type GasCost,
  UnpaidGasStore,
  type UnpaidGasSubject,
  type UnpaidGasSum,
  type OwnerUnpaidGas,
  type RecentCosts,
  type StoredGasEntry,
  type TurnRequest
} from "./UnpaidGasStore.ts"
export { type UnpaidGasAccount, usdE6Of } from "./unpaidGasAccounts.ts"
export { gasEntryOf, type SettledOperation } from "./gasEntryOf.ts"
export type { Budget, UnpaidGasReport, OperationWallet } from "./unpaidGasReports.ts"
export { MaxUnpaidGas, maxUnpaidGasOf } from "./MaxUnpaidGas.ts"
