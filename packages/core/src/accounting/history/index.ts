export { type DetailsKind, detailsKind } from "./detailsKind.ts"
export { type DisplayFee, displayFees } from "./displayFees.ts"
export { TransactionNotFound } from "./errors.ts"
export { detectedTokenDetails, isUnlisted } from "./foundOnChain.ts"
export { History, type HistoryRequest } from "./History.ts"
export { type HistoryFilter, MAX_HISTORY_PAGE, type MetadataPair } from "./HistoryFilter.ts"
export { type HistoryPage, HistoryStore, type MovementPage, type RecordedMovement } from "./HistoryStore.ts"
export {
  Movement,
  type MovementTotal,
  type MovementValue,
  movementTotalOf,
  movementValue,
  usdE6Of
} from "./Movement.ts"
export { movementsOf } from "./movementsOf.ts"
export {
  BlockRef,
  displayedTotal,
  finalStatuses,
  Leg,
  pendingLeg,
  Transaction,
  TransactionDraft,
  TransactionStatus,
  TransactionType,
  transactionHashOf
} from "./Transaction.ts"
export { Transactions } from "./Transactions.ts"
export {
  isWithinTransfers,
  NATIVE_TRANSFER,
  type TransferClaim,
  TransferClaims,
  type TransferShare,
  totalShares
} from "./TransferClaims.ts"
export { transactionEvents } from "./transactionEvent.ts"
