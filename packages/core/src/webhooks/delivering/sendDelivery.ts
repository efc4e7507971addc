import { DateTime, Effect } from "effect"
import { EventPresenter } from "../../events/index.ts"
import { activeSecrets } from "../WebhookEndpoint.ts"
import type { AttemptOutcome } from "./deliveryPolicy.ts"
import { type ClaimedDelivery, WebhookDeliveryQueue } from "./WebhookDeliveryQueue.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { webhookBody } from "./webhookBody.ts"

/** Sends a delivery once, and answers the outcome. Never fails. */
export const sendDelivery = Effect.gen(function* () {
  const queue = yield* WebhookDeliveryQueue
  const presenter = yield* EventPresenter
  const sender = yield* WebhookSender

  const bodyOf = Effect.fnUntraced(function* ({ body, event }: ClaimedDelivery) {
    if (body !== null) return body
    return yield* queue.keepBody(event.id, webhookBody(event, yield* presenter.present(event)))
  })

  const post = Effect.fnUntraced(function* (claim: ClaimedDelivery) {
    const { endpoint, event } = claim
    const body = yield* bodyOf(claim)
    const secrets = activeSecrets(endpoint.secrets, yield* DateTime.now).map(({ secret }) => secret)
    return yield* sender.post({ id: event.id, url: endpoint.url, body, secrets }).pipe(
      Effect.map((answer): AttemptOutcome => ({ _tag: "Answered", ...answer })),
      Effect.catchTag("NoWebhookAnswer", ({ reason }) => Effect.succeed<AttemptOutcome>({ _tag: "Unanswered", reason }))
    )
  })

  // Our own faults count as attempts too, so that a delivery that always fails comes to an end.
  return (claim: ClaimedDelivery): Effect.Effect<AttemptOutcome> =>
    Effect.catchDefect(post(claim), (defect) =>
      Effect.as(Effect.logError("a webhook could not be sent", defect), {
        _tag: "Fault",
        reason: "the event could not be sent because of a fault of this service"
      })
    )
})
