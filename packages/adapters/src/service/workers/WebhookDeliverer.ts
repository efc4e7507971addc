import { WebhookDeliveries } from "@countersign/core/tenancy/webhooks"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Delays between two checks for due deliveries: after one without work, and after one with work. */
const IDLE_MS = 200
const BUSY_MS = 10

/**
 * Sends due deliveries to their endpoints while the layer exists. Any number of processes may run one. Deliveries to a
 * slow endpoint continue in the background, so that others do not wait for them.
 */
export const layer = (worker: string): Layer.Layer<never, never, WebhookDeliveries> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const scope = yield* Effect.scope
      const round = Effect.gen(function* () {
        const batches = yield* deliveries.claimDue(worker)
        yield* Effect.forEach(batches, (batch) => Effect.forkIn(deliveries.deliver(batch), scope), { discard: true })
        yield* Effect.sleep(batches.length > 0 ? BUSY_MS : IDLE_MS)
      })
      yield* forkRounds(round, "delivering webhooks failed")
    })
  )
