import { withDefault, withDescription } from "@countersign/core/foundation/primitives"
import { MAX_DELIVERIES_PAGE, NewWebhook, OVERLAP_SECONDS_MAX } from "@countersign/core/tenancy/webhooks"
import { Schema } from "effect"
import { WireEventFilter } from "./eventTypes.ts"
import { instant, instantOrNull, link, number, numberOrNull, text, textOrNull } from "./fields.ts"
import { intText } from "./scalars.ts"

/** The body of POST /api/v1/webhooks. */
export const WebhookCreateBody = Schema.Struct({
  url: Schema.String.annotate({
    description: "URL that receives the events: https, and reachable from the internet"
  }),
  eventTypes: withDefault(
    Schema.NullOr(
      Schema.NonEmptyArray(
        WireEventFilter.annotate({
          identifier: "EventFilter",
          description: "An event type, or a group such as `transaction.*`, which includes types that are added later",
          message: "Expected an event type, such as transaction.completed, or a group of types, such as transaction.*"
        })
      )
    ),
    null,
    "Event types; null for all"
  ),
  description: withDefault(
    NewWebhook.fields.description,
    "",
    "Description of the webhook, chosen by the project, at most 200 characters"
  )
}).annotate({ identifier: "CreateWebhookRequest", description: "A webhook to create" })

export const RotateQuery = {
  overlapSeconds: intText(
    { minimum: 0, maximum: OVERLAP_SECONDS_MAX, default: 86_400 },
    "Number of seconds for which deliveries are also signed with the earlier secrets"
  )
}

export const DeliveriesQuery = {
  take: intText({ minimum: 1, maximum: MAX_DELIVERIES_PAGE, default: 50 }, "Maximum number of deliveries on a page"),
  lastId: Schema.optionalKey(
    Schema.String.pipe(withDescription("`nextLastId` of the previous page. Omit it for the first page"))
  )
}

export const WebhookBody = Schema.Struct({
  id: text("Id of the webhook"),
  url: link("URL that receives the events"),
  description: text("Description of the webhook, chosen by the project"),
  eventTypes: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "Event types that the webhook receives; null for all"
  }),
  status: Schema.Literals(["ENABLED", "DISABLED"]).annotate({ description: "Whether the webhook receives events" }),
  disabledAt: instantOrNull("When the webhook was disabled; null while it is enabled"),
  disabledReason: textOrNull("Reason why the webhook was disabled; null while it is enabled"),
  failingSince: instantOrNull(
    "Time since which every delivery to the webhook has failed; null after a successful delivery. After 5 days the webhook may be disabled"
  ),
  createdAt: instant("When it was created"),
  secrets: Schema.Array(
    Schema.Struct({
      createdAt: instant("When the secret was created"),
      expiresAt: instantOrNull("When the secret expires; null for the current secret")
    }).annotate({ description: "A secret, without its value" })
  ).annotate({ description: "Secrets with which deliveries are currently signed, without their values" })
}).annotate({ identifier: "Webhook", description: "A webhook endpoint that receives events" })

export const DeliveryBody = Schema.Struct({
  id: text("Id of the delivery"),
  webhookId: text("Id of the webhook"),
  eventId: text("Value of the `webhook-id` header, which is the same in every attempt"),
  type: text("Type of the event"),
  resource: text("Type and id of the event's resource"),
  sequence: number("Sequence number of the event within its resource, from 1 without gaps"),
  status: Schema.Literals(["PENDING", "DELIVERED", "FAILED", "DISABLED"]).annotate({
    description:
      "`PENDING`: will be attempted or retried. `DELIVERED`: the endpoint responded with 2xx. `FAILED`: every attempt failed. " +
      "`DISABLED`: the webhook was disabled before it was delivered"
  }),
  attempts: number("Number of attempts so far"),
  nextAttemptAt: instantOrNull("Time of the next attempt; null if there is none"),
  lastResponseStatus: numberOrNull("HTTP status of the last attempt; null if there was no response"),
  lastError: textOrNull("Error of the last attempt; null if there is none"),
  createdAt: instant("Time of the event"),
  deliveredAt: instantOrNull("When the event was delivered; null until then"),
  attemptLog: Schema.Array(
    Schema.Struct({
      at: instant("Time of the attempt"),
      durationMs: number("Milliseconds until the response or the failure"),
      responseStatus: numberOrNull("HTTP status of the response; null if there was no response"),
      error: textOrNull("Error of the attempt; null if there was none")
    }).annotate({ description: "One attempt to deliver the event" })
  ).annotate({ description: "The latest delivery attempts" })
}).annotate({ identifier: "WebhookDelivery", description: "A delivery of an event to a webhook" })

export const WebhookResponse = Schema.Struct({ webhook: WebhookBody }).annotate({
  identifier: "WebhookAnswer",
  description: "The webhook"
})
export const WebhooksResponse = Schema.Struct({
  webhooks: Schema.Array(WebhookBody).annotate({ description: "Every webhook of the project" })
}).annotate({ identifier: "Webhooks", description: "The project's webhooks" })
export const WebhookSecretResponse = Schema.Struct({
  webhook: WebhookBody,
  secret: textOrNull(
    "The key that signs deliveries (Standard Webhooks). Only this response contains it: a repeat with the same " +
      "`Idempotency-Key` has null instead. If the secret is lost, rotate it with another key"
  )
}).annotate({ identifier: "WebhookWithSecret", description: "The webhook and its secret" })
export const DeliveryResponse = Schema.Struct({ delivery: DeliveryBody }).annotate({
  identifier: "DeliveryAnswer",
  description: "The delivery"
})
export const DeliveriesResponse = Schema.Struct({
  nextLastId: textOrNull("Cursor: set `lastId` to this value to get the next page; null on the last page"),
  deliveries: Schema.Array(DeliveryBody).annotate({ description: "Newest first" })
}).annotate({ identifier: "Deliveries", description: "A page of a webhook's deliveries" })
