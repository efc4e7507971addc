export type { TransferQuote } from "./TransferContent.ts"
export { TransferRequest } from "./TransferRequest.ts"
export { Transfers } from "./Transfers.ts"
export { transferTreatment } from "./taxTreatment.ts"
