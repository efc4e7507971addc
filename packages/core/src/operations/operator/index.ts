export type { ChainView, NodeReport, NodeReports } from "./chainView.ts"
export { OperatorAccounts } from "./OperatorAccounts.ts"
export {
  type GasFees,
  isLive,
  type OperatorAccount,
  type OperatorTransaction,
  type OperatorTransactionState
} from "./OperatorTransaction.ts"
export {
  type BundleTransaction,
  type OperatorAccountClaim,
  type OperatorAccountRole,
  type OperatorAccountUsage,
  OperatorTransactionStore,
  type WatchedOperatorAccount
} from "./OperatorTransactionStore.ts"
export {
  isCredible,
  needsSettledCount,
  nextNonce,
  type OperatorAccountAction,
  operatorAccountActions,
  POOLED_MAX,
  SETTLED_BLOCKS,
  transactionsToQuery
} from "./operatorAccountActions.ts"
