import { FiatOrderState, FiatOrders } from "@countersign/core/fiat"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect, Schema } from "effect"
import { decoderOf, encoderOf } from "../../api/endpoints/index.ts"
import { FiatOrderBody, fiatOrderBody } from "../../api/wire/index.ts"
import type { Run } from "./session.ts"

const Resolution = Schema.Struct({
  orderId: Schema.String,
  status: FiatOrderState,
  reason: Schema.String.check(
    Schema.isPattern(/^(?=.*\S)[^\p{C}]{1,500}$/u, { message: "Expected 1 to 500 characters" })
  )
})
const decodeResolution = decoderOf(Resolution)
const encodeOrder = encoderOf(FiatOrderBody)

/** Calls for an operator's decisions on fiat orders, which the API does not have. */
export const fiatReviewsOf = (run: Run, project: ProjectId) => ({
  /** Ends an order that is in review, or pending and unchanged for a day, because the provider can't report its end. */
  resolve: (body: typeof Resolution.Encoded) =>
    run(
      Effect.gen(function* () {
        const { orderId, reason, status } = yield* decodeResolution(body)
        const order = yield* (yield* FiatOrders).resolve(project, orderId, { status, reason })
        return yield* encodeOrder(fiatOrderBody(order))
      })
    )
})
