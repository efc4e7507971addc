import { WebhookDeliveries } from "@countersign/core/tenancy/webhooks"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Waits between two looks for what is due: after one that found nothing, and after one that found something. */
const IDLE_MS = 200
const BUSY_MS = 10

/**
 * Takes due deliveries to their endpoints, for as long as the layer lives. Any number of processes may run one. What a
 * slow endpoint is sent goes on in the background, so that other deliveries do not wait for it.
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
