import type { BatchRequest } from "@countersign/core/batch"
import type { SwapRequest } from "@countersign/core/swap"
import type { TransferRequest } from "@countersign/core/transfer"
import { endpoints } from "../endpoints/index.ts"
import type { CallEndpoint, CallOptions } from "./requests.ts"

/** Operations that a wallet's owner may sign. */
export const preparingOf = (call: CallEndpoint) => {
  const quoteSwap = call(endpoints.swapQuote)
  const prepareTransfer = call(endpoints.transferQuote)
  const prepareBatch = call(endpoints.batchQuote)
  return {
    swaps: {
      /** Quotes, best first. Sign what `signData` asks for, then execute. As `POST /api/v1/crypto/swap`. */
      quote: (body: typeof SwapRequest.Encoded, options?: CallOptions) => quoteSwap({ payload: body }, options)
    },
    transfers: {
      /** A transfer to be signed. As `POST /api/v1/crypto/transfer`. */
      prepare: (body: typeof TransferRequest.Encoded, options?: CallOptions) =>
        prepareTransfer({ payload: body }, options)
    },
    batches: {
      /** Transfers and swaps to be signed as one operation. As `POST /api/v1/crypto/batch-operations`. */
      prepare: (body: typeof BatchRequest.Encoded, options?: CallOptions) => prepareBatch({ payload: body }, options)
    }
  }
}
