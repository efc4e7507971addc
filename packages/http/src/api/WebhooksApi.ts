import {
  DeliveriesQuery,
  DeliveriesResponse,
  DeliveryResponse,
  RotateQuery,
  WebhookCreateBody,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse
} from "@countersign/adapters/wire"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { errorSchemas } from "../errors/index.ts"
import { BoundedJson, IdempotentPost, ProjectAuth } from "../middleware/definitions.ts"

const webhookId = Schema.String.annotate({ description: "Id of the webhook" })
const webhookPath = Schema.Struct({ id: webhookId })

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: WebhookCreateBody,
      success: WebhookSecretResponse.pipe(HttpApiSchema.status(201)),
      error: errorSchemas("BAD_REQUEST", "FORBIDDEN_SCOPE", "UNSUPPORTED_MEDIA_TYPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Be told of events",
        description:
          "Events are posted as `{type, timestamp, data}`, signed by Standard Webhooks with the secret that this answers " +
          "once. `data` is the resource as the API answers it, with `metadataKey` and `metadataValue` (the first pair of its " +
          "`metadata`), `sequence` (one more for each event of the resource) and `previousStatus`. An event may come more than once, under the same " +
          "`webhook-id`. Answer 2xx within 15 seconds. Anything else is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, " +
          "10 h, 14 h, 20 h and 24 h; 410 disables the webhook; redirects are not followed."
      })
    ),
    HttpApiEndpoint.post("enable", "/:id/enable", {
      params: webhookPath,
      success: WebhookResponse,
      error: errorSchemas("WEBHOOK_NOT_FOUND", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Enable a webhook that was disabled",
        description: "What was not sent meanwhile is sent when asked for: see redeliver."
      })
    ),
    HttpApiEndpoint.post("rotate", "/:id/rotate", {
      params: webhookPath,
      query: RotateQuery,
      success: WebhookSecretResponse,
      error: errorSchemas("WEBHOOK_NOT_FOUND", "BAD_REQUEST", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Replace a webhook's secret",
        description:
          "Until `overlapSeconds` (one day when left out) are over, deliveries carry a signature of each secret, so that " +
          "receivers can change over one by one."
      })
    ),
    HttpApiEndpoint.post("test", "/:id/test", {
      params: webhookPath,
      success: DeliveryResponse.pipe(HttpApiSchema.status(201)),
      error: errorSchemas("WEBHOOK_NOT_FOUND", "WEBHOOK_DISABLED", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send a webhook.test event to a webhook",
        description: "Whatever events the webhook wants. The answer is its delivery, before the first attempt."
      })
    ),
    HttpApiEndpoint.post("redeliver", "/:id/deliveries/:deliveryId/redeliver", {
      params: Schema.Struct({
        id: webhookId,
        deliveryId: Schema.String.annotate({ description: "Id of the delivery" })
      }),
      success: DeliveryResponse,
      error: errorSchemas("WEBHOOK_NOT_FOUND", "WEBHOOK_DELIVERY_NOT_FOUND", "WEBHOOK_DISABLED", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Send an event again, the same bytes under the same id",
        description: "Also one that was delivered, or that failed for good."
      })
    )
  )
  .middleware(IdempotentPost)
  .middleware(BoundedJson)
  .add(
    HttpApiEndpoint.get("list", "/", {
      success: WebhooksResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The webhooks of the project",
        description: "All of them, without their secrets."
      })
    ),
    HttpApiEndpoint.get("show", "/:id", {
      params: webhookPath,
      success: WebhookResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "WEBHOOK_NOT_FOUND", "FORBIDDEN_SCOPE")
    }).annotateMerge(OpenApi.annotations({ summary: "A webhook", description: "Without its secret." })),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: webhookPath,
      success: HttpApiSchema.NoContent,
      error: errorSchemas("WEBHOOK_NOT_FOUND", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete a webhook with its deliveries",
        description: "It gets no event any more."
      })
    ),
    HttpApiEndpoint.get("deliveries", "/:id/deliveries", {
      params: webhookPath,
      query: DeliveriesQuery,
      success: DeliveriesResponse,
      error: errorSchemas("UNAVAILABLE_COMPUTE_UNITS", "WEBHOOK_NOT_FOUND", "BAD_REQUEST", "FORBIDDEN_SCOPE")
    }).annotateMerge(
      OpenApi.annotations({
        summary: "What was sent to a webhook and how it went, newest first",
        description: "One page. `lastId` takes `nextLastId` of the page before it."
      })
    )
  )
  .middleware(ProjectAuth)
  .prefix("/api/v1/webhooks")
  .annotateMerge(OpenApi.annotations({ title: "Webhooks", description: "Being told of events" })) {}
