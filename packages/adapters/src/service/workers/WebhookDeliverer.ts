import { WorkSignals } from "@countersign/core/foundation/work"
import { WebhookDeliveries } from "@countersign/core/tenancy/webhooks"
import { Clock, Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Delay between two claims while deliveries are due, in milliseconds. */
const CLAIM_INTERVAL_MS = 10

/**
 * Sends due deliveries to their endpoints while the layer exists. Several processes may run this worker. Deliveries to
 * a slow endpoint continue in the background, so that other deliveries do not wait.
 */
export const layer = (worker: string): Layer.Layer<never, never, WebhookDeliveries | WorkSignals> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const deliveries = yield* WebhookDeliveries
      const signals = yield* WorkSignals
      // While this process delivers to an endpoint, it claims no other delivery to that endpoint. The end of a delivery
      // makes the next claim due.
      const announceEnd = Effect.flatMap(Clock.currentTimeMillis, (now) => signals.announce("WEBHOOK_DELIVERIES", now))
      const scope = yield* Effect.scope
      const round = Effect.gen(function* () {
        const batches = yield* deliveries.claimDue(worker)
        yield* Effect.forEach(
          batches,
          (batch) => Effect.forkIn(Effect.ensuring(deliveries.deliver(batch), announceEnd), scope),
          { discard: true }
        )
        yield* batches.length > 0 ? Effect.sleep(CLAIM_INTERVAL_MS) : signals.await("WEBHOOK_DELIVERIES")
      })
      yield* forkRounds(round, "delivering webhooks failed")
    })
  )
