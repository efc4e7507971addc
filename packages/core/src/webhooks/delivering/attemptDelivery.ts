import { DateTime, Effect, Random } from "effect"
import { type AttemptOutcome, attemptError, verdictOf } from "./deliveryPolicy.ts"
import { deliveryResult } from "./deliveryResult.ts"
import { endpointHealth } from "./endpointHealth.ts"
import { sendDelivery } from "./sendDelivery.ts"
import { type ClaimedDelivery, WebhookDeliveryQueue } from "./WebhookDeliveryQueue.ts"

/** Sends a delivery once and stores the result. Answers the outcome. */
export const attemptDelivery = Effect.gen(function* () {
  const queue = yield* WebhookDeliveryQueue
  const send = yield* sendDelivery
  const noteHealth = yield* endpointHealth

  const store = Effect.fnUntraced(function* (
    { delivery, endpoint }: ClaimedDelivery,
    worker: string,
    outcome: AttemptOutcome,
    startedAt: DateTime.Utc
  ) {
    const endedAt = yield* DateTime.now
    const attempts = delivery.attempts + 1
    const verdict = verdictOf(attempts, outcome, yield* Random.next)
    const result = deliveryResult(attempts, outcome, verdict, startedAt, endedAt)
    const isStillClaimed = yield* queue.record(delivery.id, worker, result)
    if (isStillClaimed) yield* noteHealth(endpoint, { outcome, verdict, startedAt, endedAt })
  })

  return Effect.fn("WebhookDeliveries.attempt")(function* (claim: ClaimedDelivery, worker: string) {
    const startedAt = yield* DateTime.now
    const outcome = yield* send(claim)
    yield* Effect.uninterruptible(store(claim, worker, outcome, startedAt))
    yield* Effect.logDebug("webhook attempted", {
      deliveryId: claim.delivery.id,
      webhookId: claim.endpoint.id,
      error: attemptError(outcome)
    })
    return outcome
  })
})
