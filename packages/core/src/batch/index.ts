export {
  type BatchContent,
  BatchElement,
  type BatchQuote,
  batchKind,
  SwapElement,
  TransferElement
} from "./BatchContent.ts"
export { Batches } from "./Batches.ts"
export { BATCH_MAX, BatchOperation, BatchRequest } from "./BatchRequest.ts"
export { BatchElementUnavailable } from "./errors.ts"
