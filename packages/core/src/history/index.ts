export { TransactionNotFound } from "./errors.ts"
export { History, type HistoryRequest } from "./History.ts"
export { type HistoryFilter, MAX_HISTORY_PAGE } from "./HistoryFilter.ts"
export { type HistoryPage, HistoryStore } from "./HistoryStore.ts"
export { Asset, isSameAsset, isToken, Movement, type Side, sideOf } from "./Movement.ts"
export { POSITION_ID, PositionDetails, positionDetailsOf, withMintedPosition } from "./positionDetails.ts"
export { type ShownFee, shownFees } from "./shownFees.ts"
export {
  BlockRef,
  endings,
  Leg,
  nftNumberOf,
  pendingLeg,
  shownSide,
  Transaction,
  TransactionDraft,
  TransactionStatus,
  TransactionType,
  transactionHashOf
} from "./Transaction.ts"
export { Transactions } from "./Transactions.ts"
export { transactionEvents } from "./transactionEvent.ts"
