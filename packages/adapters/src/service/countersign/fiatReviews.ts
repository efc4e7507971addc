import { FiatOrderState, FiatOrders } from "@countersign/core/fiat"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect, Schema } from "effect"
import { decoderOf, jsonOf } from "../../api/endpoints/index.ts"
import { FiatOrderBody, fiatOrderBody } from "../../api/wire/index.ts"
import type { Run } from "./session.ts"

const Resolution = Schema.Struct({
  orderId: Schema.String,
  status: FiatOrderState,
  reason: Schema.String.check(
    Schema.isPattern(/^(?=.*\S)[^\p{C}]{1,500}$/u, { message: "Expected 1 to 500 characters" })
  )
})
const resolution = decoderOf(Resolution)
const orderJson = jsonOf(FiatOrderBody)

/** An operator's decisions about fiat orders, which the API does not have. */
export const fiatReviewsOf = (run: Run, project: ProjectId) => ({
  /** Ends an order in review for which no report of the provider can arrive. */
  resolve: (body: typeof Resolution.Encoded) =>
    run(
      Effect.gen(function* () {
        const { orderId, reason, status } = yield* resolution(body)
        const order = yield* (yield* FiatOrders).resolve(project, orderId, { status, reason })
        return yield* orderJson(fiatOrderBody(order))
      })
    )
})
