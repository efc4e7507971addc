import { Webhooks, type WebhookWithSecret } from "@countersign/core/tenancy/webhooks"
import { Effect, Redacted, Schema } from "effect"
import {
  DeliveriesQuery,
  DeliveriesResponse,
  DeliveryResponse,
  deliveryBody,
  endpointBody,
  RotateQuery,
  WebhookCreateBody,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { UUID } from "./exampleValues.ts"
import { webhookLink } from "./links.ts"

const webhookPath = { id: Schema.String.annotate({ description: "Id of the webhook" }) }
const deliveryPath = { ...webhookPath, deliveryId: Schema.String.annotate({ description: "Id of the delivery" }) }

const webhookWithSecretBody = ({ endpoint: webhookEndpoint, secret }: WebhookWithSecret) => ({
  webhook: endpointBody(webhookEndpoint),
  secret: Redacted.value(secret)
})

const create = endpoint({
  id: "webhooks.create",
  method: "POST",
  path: "/api/v1/webhooks",
  summary: "Create a webhook",
  description:
    "The service sends events by POST as `{type, timestamp, data}`, signed according to Standard Webhooks. Only this response " +
    "contains the secret. `data` is the resource in the API's format, with `metadataKey` and `metadataValue` (the first pair of its " +
    "`metadata`), `sequence` (which increases by one with each event of the resource) and `previousStatus`. An event may be delivered more " +
    "than once, with the same `webhook-id`. Respond with 2xx within 15 seconds. After any other response the delivery is retried " +
    "after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. A 410 response disables the webhook. Redirects are not followed.",
  payload: WebhookCreateBody,
  success: WebhookSecretResponse,
  status: 201,
  shownOnce: ["secret"],
  errors: [],
  scope: "admin",
  cost: null,
  example: {
    body: {
      url: "http://127.0.0.1:4000/countersign",
      eventTypes: ["transaction.*"],
      description: "Orders"
    }
  },
  links: {
    get: webhookLink("get", "Get the webhook"),
    rotate: webhookLink("rotate", "Replace the webhook's secret"),
    enable: webhookLink("enable", "Enable the webhook after it was disabled"),
    test: webhookLink("test", "Send a test event to the webhook"),
    deliveries: webhookLink("deliveries", "List the deliveries of the webhook"),
    remove: webhookLink("remove", "Delete the webhook")
  },
  run: ({ payload, project }) =>
    Effect.map(
      Webhooks.use((webhooks) => webhooks.create(project.id, payload)),
      webhookWithSecretBody
    )
})

const enable = endpoint({
  id: "webhooks.enable",
  method: "POST",
  path: "/api/v1/webhooks/:id/enable",
  summary: "Enable a disabled webhook",
  description: "Events that occurred while the webhook was disabled are not sent automatically. Redeliver each event.",
  params: webhookPath,
  success: WebhookResponse,
  responses: "webhook",
  errors: ["WEBHOOK_NOT_FOUND"],
  scope: "admin",
  cost: null,
  example: { parameters: { id: UUID } },
  run: Effect.fnUntraced(function* ({ params, project }) {
    return { webhook: endpointBody(yield* (yield* Webhooks).enable(project.id, params.id)) }
  })
})

const rotate = endpoint({
  id: "webhooks.rotate",
  method: "POST",
  path: "/api/v1/webhooks/:id/rotate",
  summary: "Replace a webhook's secret",
  description:
    "For `overlapSeconds` (one day by default), deliveries are also signed with the previous secrets, so that receivers " +
    "can switch to the new secret one after the other.",
  params: webhookPath,
  query: RotateQuery,
  success: WebhookSecretResponse,
  shownOnce: ["secret"],
  errors: ["WEBHOOK_NOT_FOUND"],
  scope: "admin",
  cost: null,
  example: { parameters: { id: UUID, overlapSeconds: 3600 } },
  run: ({ params, project, query }) =>
    Effect.map(
      Webhooks.use((webhooks) => webhooks.rotate(project.id, params.id, query)),
      webhookWithSecretBody
    )
})

const test = endpoint({
  id: "webhooks.test",
  method: "POST",
  path: "/api/v1/webhooks/:id/test",
  summary: "Send a webhook.test event to a webhook",
  description:
    "The event is sent even if the webhook does not subscribe to its type. Returns the delivery before its first attempt.",
  params: webhookPath,
  success: DeliveryResponse,
  responses: "delivery",
  status: 201,
  errors: ["WEBHOOK_NOT_FOUND", "WEBHOOK_DISABLED"],
  scope: "admin",
  cost: null,
  example: { parameters: { id: UUID } },
  links: {
    redeliver: {
      operationId: "webhooks.redeliver",
      description: "Send the event again",
      parameters: { id: "$response.body#/delivery/webhookId", deliveryId: "$response.body#/delivery/id" }
    }
  },
  run: Effect.fnUntraced(function* ({ params, project }) {
    return { delivery: deliveryBody(yield* (yield* Webhooks).test(project.id, params.id)) }
  })
})

const redeliver = endpoint({
  id: "webhooks.redeliver",
  method: "POST",
  path: "/api/v1/webhooks/:id/deliveries/:deliveryId/redeliver",
  summary: "Send an event again",
  description:
    "Sends the same bytes with the same `webhook-id`, even if the event was already delivered or failed permanently.",
  params: deliveryPath,
  success: DeliveryResponse,
  responses: "delivery",
  errors: ["WEBHOOK_NOT_FOUND", "WEBHOOK_DELIVERY_NOT_FOUND", "WEBHOOK_DISABLED"],
  scope: "admin",
  cost: null,
  example: { parameters: { id: UUID, deliveryId: UUID } },
  run: Effect.fnUntraced(function* ({ params, project }) {
    return { delivery: deliveryBody(yield* (yield* Webhooks).redeliver(project.id, params.id, params.deliveryId)) }
  })
})

const list = endpoint({
  id: "webhooks.list",
  method: "GET",
  path: "/api/v1/webhooks",
  summary: "List the webhooks of the project",
  description: "Returns all webhooks, without their secrets.",
  success: WebhooksResponse,
  responses: "webhooks",
  errors: [],
  scope: "read",
  cost: "read",
  run: Effect.fnUntraced(function* ({ project }) {
    return { webhooks: (yield* (yield* Webhooks).list(project.id)).map(endpointBody) }
  })
})

const get = endpoint({
  id: "webhooks.get",
  method: "GET",
  path: "/api/v1/webhooks/:id",
  summary: "Get a webhook",
  description: "Returns the webhook without its secret.",
  params: webhookPath,
  success: WebhookResponse,
  responses: "webhook",
  errors: ["WEBHOOK_NOT_FOUND"],
  scope: "read",
  cost: "read",
  example: { parameters: { id: UUID } },
  run: Effect.fnUntraced(function* ({ params, project }) {
    return { webhook: endpointBody(yield* (yield* Webhooks).get(project.id, params.id)) }
  })
})

const remove = endpoint({
  id: "webhooks.remove",
  method: "DELETE",
  path: "/api/v1/webhooks/:id",
  summary: "Delete a webhook and its deliveries",
  description: "The webhook receives no further events.",
  params: webhookPath,
  errors: ["WEBHOOK_NOT_FOUND"],
  scope: "admin",
  cost: null,
  example: { parameters: { id: UUID } },
  run: ({ params, project }) => Webhooks.use((webhooks) => webhooks.remove(project.id, params.id))
})

const deliveries = endpoint({
  id: "webhooks.deliveries",
  method: "GET",
  path: "/api/v1/webhooks/:id/deliveries",
  summary: "List the deliveries of a webhook, newest first",
  description:
    "Each delivery contains its latest attempts. A response contains one page; for the next page, set `lastId` to the `nextLastId` of the response.",
  params: webhookPath,
  query: DeliveriesQuery,
  success: DeliveriesResponse,
  responses: "deliveries",
  errors: ["WEBHOOK_NOT_FOUND"],
  scope: "read",
  cost: "read",
  example: { parameters: { id: UUID, take: 10 } },
  run: Effect.fnUntraced(function* ({ params, project, query }) {
    const { deliveries, nextLastId } = yield* (yield* Webhooks).listDeliveries(project.id, params.id, {
      lastId: query.lastId ?? null,
      take: query.take
    })
    return { nextLastId, deliveries: deliveries.map(deliveryBody) }
  })
})

export const webhooks = { create, enable, rotate, test, redeliver, list, get, remove, deliveries }
