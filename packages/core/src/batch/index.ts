export { BatchElement, type BatchQuote, SwapElement, TransferElement } from "./BatchContent.ts"
export { Batches } from "./Batches.ts"
export { BatchRequest } from "./BatchRequest.ts"
export { BatchElementUnavailable } from "./errors.ts"
