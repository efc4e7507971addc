import { WebhookDeliveries } from "@countersign/core/tenancy/webhooks"
import { Effect } from "effect"

/** Claims and attempts all deliveries that are due. Returns the number of claimed deliveries. */
export const deliverDue = (worker = "w") =>
  WebhookDeliveries.use(({ claimDue, deliver }) =>
    Effect.gen(function* () {
      const batches = yield* claimDue(worker)
      yield* Effect.forEach(batches, deliver, { concurrency: "unbounded", discard: true })
      return batches.reduce((sum, { deliveries }) => sum + deliveries.length, 0)
    })
  )
