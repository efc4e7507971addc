export { TransferContent, type TransferQuote, TransferTokens, transferKind } from "./TransferContent.ts"
export { TransferRequest } from "./TransferRequest.ts"
export { type TransferError, Transfers } from "./Transfers.ts"
