export { History, type HistoryRequest } from "./History.ts"
export { type HistoryFilter, MAX_HISTORY_PAGE } from "./HistoryFilter.ts"
export { type HistoryPage, HistoryStore } from "./HistoryStore.ts"
export { HistoryAmount, HistoryTransaction, TransactionStatus, TransactionType } from "./HistoryTransaction.ts"
