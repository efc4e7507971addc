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

const withSecret = ({ endpoint: made, secret }: WebhookWithSecret) => ({
  webhook: endpointBody(made),
  secret: Redacted.value(secret)
})

const create = endpoint({
  id: "webhooks.create",
  method: "POST",
  path: "/api/v1/webhooks",
  summary: "Create a webhook",
  description:
    "Events are posted as `{type, timestamp, data}`, signed by Standard Webhooks with the secret that this answers " +
    "once. `data` is the resource as the API answers it, with `metadataKey` and `metadataValue` (the first pair of its " +
    "`metadata`), `sequence` (one more for each event of the resource) and `previousStatus`. An event may come more than once, under the same " +
    "`webhook-id`. Answer 2xx within 15 seconds. Anything else is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, " +
    "10 h, 14 h, 20 h and 24 h; 410 disables the webhook; redirects are not followed.",
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
    get: webhookLink("get", "Look the webhook up"),
    rotate: webhookLink("rotate", "Replace its secret"),
    enable: webhookLink("enable", "Enable it again after it was disabled"),
    test: webhookLink("test", "Send it a test event"),
    deliveries: webhookLink("deliveries", "List what was sent to it"),
    remove: webhookLink("remove", "Delete it")
  },
  run: ({ payload, project }) =>
    Effect.map(
      Webhooks.use((webhooks) => webhooks.create(project.id, payload)),
      withSecret
    )
})

const enable = endpoint({
  id: "webhooks.enable",
  method: "POST",
  path: "/api/v1/webhooks/:id/enable",
  summary: "Enable a webhook that was disabled",
  description: "Events that were not sent in the meantime are sent on request: see redeliver.",
  params: webhookPath,
  success: WebhookResponse,
  answers: "webhook",
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
    "Until `overlapSeconds` (one day when left out) are over, deliveries carry a signature of each secret, so that " +
    "receivers can change over one by one.",
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
      withSecret
    )
})

const test = endpoint({
  id: "webhooks.test",
  method: "POST",
  path: "/api/v1/webhooks/:id/test",
  summary: "Send a webhook.test event to a webhook",
  description:
    "It is sent also where the webhook does not subscribe to it. The answer is its delivery, before the first attempt.",
  params: webhookPath,
  success: DeliveryResponse,
  answers: "delivery",
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
  summary: "Send an event again, the same bytes under the same id",
  description: "Also one that was delivered, or that failed for good.",
  params: deliveryPath,
  success: DeliveryResponse,
  answers: "delivery",
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
  summary: "The webhooks of the project",
  description: "All of them, without their secrets.",
  success: WebhooksResponse,
  answers: "webhooks",
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
  summary: "A webhook",
  description: "Without its secret.",
  params: webhookPath,
  success: WebhookResponse,
  answers: "webhook",
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
  summary: "Delete a webhook with its deliveries",
  description: "It gets no more events.",
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
  summary: "Deliveries of a webhook with their results, newest first",
  description: "One page. `lastId` takes `nextLastId` of the page before it.",
  params: webhookPath,
  query: DeliveriesQuery,
  success: DeliveriesResponse,
  answers: "deliveries",
  errors: ["WEBHOOK_NOT_FOUND"],
  scope: "read",
  cost: "read",
  example: { parameters: { id: UUID, take: 10 } },
  run: Effect.fnUntraced(function* ({ params, project, query }) {
    const { deliveries, nextLastId } = yield* (yield* Webhooks).deliveries(project.id, params.id, {
      lastId: query.lastId ?? null,
      take: query.take
    })
    return { nextLastId, deliveries: deliveries.map(deliveryBody) }
  })
})

export const webhooks = { create, enable, rotate, test, redeliver, list, get, remove, deliveries }
