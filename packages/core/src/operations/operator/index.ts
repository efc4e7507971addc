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
  nextNonce,
  type OperatorAccountAction,
  operatorAccountActions,
  POOLED_MAX,
  transactionsToQuery
} from "./operatorAccountActions.ts"
