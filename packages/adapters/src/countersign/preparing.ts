import { Batches, BatchRequest } from "@countersign/core/batch"
import { type ProjectId, Projects } from "@countersign/core/projects"
import { SwapRequest, Swaps } from "@countersign/core/swap"
import { TransferRequest, Transfers } from "@countersign/core/transfer"
import { Effect } from "effect"
import { BatchResponse, batchBody, QuotesBody, quotesBody, TransferResponse, transferBody } from "../wire/index.ts"
import { answerOf, bodyOf } from "./requests.ts"
import type { Run } from "./session.ts"

const swapRequest = bodyOf(SwapRequest)
const transferRequest = bodyOf(TransferRequest)
const batchRequest = bodyOf(BatchRequest)
const quotesAnswer = answerOf(QuotesBody)
const transferAnswer = answerOf(TransferResponse)
const batchAnswer = answerOf(BatchResponse)

export interface CallOptions {
  /** Ends the call when it is aborted: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

const projectOf = (id: ProjectId) => Projects.use((projects) => projects.get(id))

/** Operations that a wallet's owner may sign. */
export const preparingOf = (run: Run, project: ProjectId) => ({
  swaps: {
    /** Quotes, best first. Sign what `signData` asks for, then execute. As `POST /api/v1/crypto/swap`. */
    quote: (body: typeof SwapRequest.Encoded, { signal }: CallOptions = {}) =>
      run(
        Effect.gen(function* () {
          const request = yield* swapRequest(body)
          return yield* quotesAnswer(quotesBody(yield* (yield* Swaps).quote(yield* projectOf(project), request)))
        }),
        signal
      )
  },
  transfers: {
    /** A transfer to be signed. As `POST /api/v1/crypto/transfer`. */
    prepare: (body: typeof TransferRequest.Encoded, { signal }: CallOptions = {}) =>
      run(
        Effect.gen(function* () {
          const request = yield* transferRequest(body)
          const transfer = yield* (yield* Transfers).quote(yield* projectOf(project), request)
          return yield* transferAnswer({ transfer: transferBody(transfer) })
        }),
        signal
      )
  },
  batches: {
    /** Transfers and swaps to be signed as one operation. As `POST /api/v1/crypto/batch-operations`. */
    prepare: (body: typeof BatchRequest.Encoded, { signal }: CallOptions = {}) =>
      run(
        Effect.gen(function* () {
          const request = yield* batchRequest(body)
          return yield* batchAnswer(batchBody(yield* (yield* Batches).quote(yield* projectOf(project), request)))
        }),
        signal
      )
  }
})
