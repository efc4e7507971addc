import type { ProjectId } from "@countersign/core/projects"
import { Webhooks, type WebhookWithSecret } from "@countersign/core/webhooks"
import { Effect, Redacted } from "effect"
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
import { answerOf, bodyOf, type QueryInput, queryOf } from "./requests.ts"
import type { Run } from "./session.ts"

const createBody = bodyOf(WebhookCreateBody)
const rotateQuery = queryOf(RotateQuery)
const deliveriesQuery = queryOf(DeliveriesQuery)
const webhookAnswer = answerOf(WebhookResponse)
const webhooksAnswer = answerOf(WebhooksResponse)
const secretAnswer = answerOf(WebhookSecretResponse)
const deliveryAnswer = answerOf(DeliveryResponse)
const deliveriesAnswer = answerOf(DeliveriesResponse)

const withSecret = ({ endpoint, secret }: WebhookWithSecret) =>
  secretAnswer({ webhook: endpointBody(endpoint), secret: Redacted.value(secret) })

/** Endpoints that are told of a project's events, and what was sent to them. Workers of the library deliver. */
export const webhooksOf = (run: Run, project: ProjectId) => ({
  /** Adds an endpoint, and answers its secret this once. As `POST /api/v1/webhooks`. */
  create: (body: typeof WebhookCreateBody.Encoded) =>
    run(
      Effect.gen(function* () {
        const request = yield* createBody(body)
        return yield* withSecret(yield* (yield* Webhooks).create(project, request))
      })
    ),
  /** As `GET /api/v1/webhooks`. */
  list: () =>
    run(
      Effect.gen(function* () {
        return yield* webhooksAnswer({ webhooks: (yield* (yield* Webhooks).list(project)).map(endpointBody) })
      })
    ),
  /** As `GET /api/v1/webhooks/:id`. */
  show: (id: string) =>
    run(
      Effect.gen(function* () {
        return yield* webhookAnswer({ webhook: endpointBody(yield* (yield* Webhooks).get(project, id)) })
      })
    ),
  /** Deletes an endpoint with its deliveries. As `DELETE /api/v1/webhooks/:id`. */
  remove: (id: string) => run(Webhooks.use((webhooks) => webhooks.remove(project, id))),
  /** Enables an endpoint that was disabled. As `POST /api/v1/webhooks/:id/enable`. */
  enable: (id: string) =>
    run(
      Effect.gen(function* () {
        return yield* webhookAnswer({ webhook: endpointBody(yield* (yield* Webhooks).enable(project, id)) })
      })
    ),
  /** Replaces the secret, and answers the new one this once. As `POST /api/v1/webhooks/:id/rotate`. */
  rotate: (id: string, query: QueryInput<typeof RotateQuery> = {}) =>
    run(
      Effect.gen(function* () {
        return yield* withSecret(yield* (yield* Webhooks).rotate(project, id, yield* rotateQuery(query)))
      })
    ),
  /** Sends a `webhook.test` event. As `POST /api/v1/webhooks/:id/test`. */
  test: (id: string) =>
    run(
      Effect.gen(function* () {
        return yield* deliveryAnswer({ delivery: deliveryBody(yield* (yield* Webhooks).test(project, id)) })
      })
    ),
  /** What was sent, newest first. As `GET /api/v1/webhooks/:id/deliveries`. */
  deliveries: (id: string, query: QueryInput<typeof DeliveriesQuery> = {}) =>
    run(
      Effect.gen(function* () {
        const { lastId, take } = yield* deliveriesQuery(query)
        const page = yield* (yield* Webhooks).deliveries(project, id, { lastId: lastId ?? null, take })
        return yield* deliveriesAnswer({ nextLastId: page.nextLastId, deliveries: page.deliveries.map(deliveryBody) })
      })
    ),
  /** Sends an event again. As `POST /api/v1/webhooks/:id/deliveries/:deliveryId/redeliver`. */
  redeliver: (id: string, deliveryId: string) =>
    run(
      Effect.gen(function* () {
        const delivery = yield* (yield* Webhooks).redeliver(project, id, deliveryId)
        return yield* deliveryAnswer({ delivery: deliveryBody(delivery) })
      })
    )
})
