import { DateTime, Effect, Random } from "effect"
import { EventSerializer } from "../../events/index.ts"
import type { WebhookDeliveryStatus } from "../WebhookDelivery.ts"
import { activeSecrets } from "../WebhookEndpoint.ts"
import { type AttemptOutcome, attemptError, type Verdict, verdictOf } from "./deliveryPolicy.ts"
import { endpointHealth } from "./endpointHealth.ts"
import { type ClaimedDelivery, type DeliveryResult, WebhookDeliveryQueue } from "./WebhookDeliveryQueue.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { webhookBody } from "./webhookBody.ts"

/** Sends a delivery once, and returns the outcome. Never fails. */
const sendDelivery = Effect.gen(function* () {
  const queue = yield* WebhookDeliveryQueue
  const serializer = yield* EventSerializer
  const sender = yield* WebhookSender

  const bodyOf = Effect.fnUntraced(function* ({ body, event }: ClaimedDelivery) {
    if (body !== null) return body
    return yield* queue.storeBody(event.projectId, event.id, webhookBody(event, yield* serializer.serialize(event)))
  })

  const post = Effect.fnUntraced(function* (claim: ClaimedDelivery) {
    const { endpoint, event } = claim
    const body = yield* bodyOf(claim)
    const secrets = activeSecrets(endpoint.secrets, yield* DateTime.now).map(({ secret }) => secret)
    return yield* sender.post({ id: event.id, url: endpoint.url, body, secrets }).pipe(
      Effect.map((response): AttemptOutcome => ({ _tag: "Answered", ...response })),
      Effect.catchTag("NoWebhookAnswer", ({ reason }) => Effect.succeed<AttemptOutcome>({ _tag: "Unanswered", reason }))
    )
  })

  // A defect of this service also counts as an attempt, so that a delivery that always fails ends.
  return (claim: ClaimedDelivery): Effect.Effect<AttemptOutcome> =>
    Effect.catchDefect(post(claim), (defect) =>
      Effect.as(Effect.logError("a webhook could not be sent", defect), {
        _tag: "Fault",
        reason: "the event could not be sent because of an internal error of this service"
      })
    )
})

const statusByVerdict: Readonly<Record<Verdict["_tag"], WebhookDeliveryStatus>> = {
  Delivered: "DELIVERED",
  Retry: "PENDING",
  GaveUp: "FAILED",
  Gone: "DISABLED"
}

/** Returns the result of an attempt that began at `startedAt` and ended at `now`. */
const deliveryResult = (
  attempts: number,
  outcome: AttemptOutcome,
  verdict: Verdict,
  startedAt: DateTime.Utc,
  now: DateTime.Utc
): DeliveryResult => {
  const error = attemptError(outcome)
  const status = outcome._tag === "Answered" ? outcome.status : null
  const durationMs = Math.max(0, DateTime.toEpochMillis(now) - DateTime.toEpochMillis(startedAt))
  return {
    status: statusByVerdict[verdict._tag],
    attempts,
    nextAttemptAt: verdict._tag === "Retry" ? DateTime.add(now, { milliseconds: verdict.delayMs }) : null,
    lastStatus: status,
    lastError: error,
    deliveredAt: verdict._tag === "Delivered" ? now : null,
    attempt: { at: startedAt, durationMs, status, error }
  }
}

/** Sends a delivery once and stores the result. Returns the outcome. */
export const attemptDelivery = Effect.gen(function* () {
  const queue = yield* WebhookDeliveryQueue
  const send = yield* sendDelivery
  const updateHealth = yield* endpointHealth

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
    const isStillClaimed = yield* queue.record(delivery.projectId, delivery.id, worker, result)
    if (isStillClaimed) yield* updateHealth(endpoint, { outcome, verdict, startedAt, endedAt })
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
