import { MAX_DELIVERIES_PAGE, NewWebhook, OVERLAP_SECONDS_MAX } from "@countersign/core/webhooks"
import { Effect, Schema } from "effect"
import { WireEventFilter } from "./eventTypes.ts"
import { Text } from "./resources.ts"
import { intText } from "./scalars.ts"

/** The body of POST /api/v1/webhooks. */
export const WebhookCreateBody = Schema.Struct({
  url: Schema.String.annotate({
    description: "Where events are sent to: an https URL that can be reached from the internet"
  }),
  eventTypes: Schema.NullOr(
    Schema.NonEmptyArray(
      WireEventFilter.annotate({
        identifier: "EventFilter",
        message: "Expected an event type, such as transaction.completed, or a kind of them, such as transaction.*"
      })
    )
  ).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(null)),
    Schema.annotate({ description: "Which events; all when left out" })
  ),
  description: NewWebhook.fields.description.pipe(Schema.withDecodingDefaultKey(Effect.succeed("")))
}).annotate({ identifier: "CreateWebhookRequest" })

/** For how many seconds deliveries are signed with the earlier secrets too. */
export const RotateQuery = {
  overlapSeconds: intText(0, OVERLAP_SECONDS_MAX).pipe(Schema.withDecodingDefaultKey(Effect.succeed("86400")))
}

export const DeliveriesQuery = {
  take: intText(1, MAX_DELIVERIES_PAGE).pipe(Schema.withDecodingDefaultKey(Effect.succeed("50"))),
  lastId: Schema.optionalKey(Schema.String)
}

export const WebhookBody = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  description: Schema.String,
  eventTypes: Schema.NullOr(Schema.Array(Schema.String)),
  status: Schema.Literals(["ENABLED", "DISABLED"]),
  disabledAt: Text,
  disabledReason: Text,
  failingSince: Text.annotate({
    description:
      "Since when every delivery to it has failed; null after a successful one. After 5 days it may be disabled"
  }),
  createdAt: Schema.String,
  secrets: Schema.Array(Schema.Struct({ createdAt: Schema.String, expiresAt: Text })).annotate({
    description: "When each secret was created and when it expires. The secrets themselves are not shown"
  })
}).annotate({ identifier: "Webhook" })

export const DeliveryBody = Schema.Struct({
  id: Schema.String,
  webhookId: Schema.String,
  eventId: Schema.String.annotate({ description: "The `webhook-id` header: the same in every attempt" }),
  type: Schema.String,
  resource: Schema.String,
  sequence: Schema.Finite,
  status: Schema.Literals(["PENDING", "DELIVERED", "FAILED", "DISABLED"]),
  attempts: Schema.Finite,
  nextAttemptAt: Text,
  lastResponseStatus: Schema.NullOr(Schema.Finite),
  lastError: Text,
  createdAt: Schema.String,
  deliveredAt: Text,
  attemptLog: Schema.Array(
    Schema.Struct({
      at: Schema.String,
      durationMs: Schema.Finite,
      responseStatus: Schema.NullOr(Schema.Finite),
      error: Text
    })
  )
}).annotate({ identifier: "WebhookDelivery" })

export const WebhookResponse = Schema.Struct({ webhook: WebhookBody })
export const WebhooksResponse = Schema.Struct({ webhooks: Schema.Array(WebhookBody) })
export const WebhookSecretResponse = Schema.Struct({
  webhook: WebhookBody,
  secret: Text.annotate({
    description:
      "The key that signs deliveries (Standard Webhooks). It is shown only in this answer: a repeat under the same " +
      "`Idempotency-Key` has null in its place. Who has lost it rotates it under another key"
  })
})
export const DeliveryResponse = Schema.Struct({ delivery: DeliveryBody })
export const DeliveriesResponse = Schema.Struct({ nextLastId: Text, deliveries: Schema.Array(DeliveryBody) })
