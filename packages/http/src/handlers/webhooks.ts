import { deliveryBody, endpointBody } from "@countersign/adapters/wire"
import { Webhooks, type WebhookWithSecret } from "@countersign/core/webhooks"
import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { errorOfBody, errorOfQuery, toErrorBody } from "../errors/index.ts"
import { requestInfo } from "../server/RequestInfo.ts"
import { authorizeCaller, ComputeUnitCosts, chargeCaller, gatekeepers } from "./asCaller.ts"

/** The only answers that carry a secret. It's not kept with them under an idempotency key. */
const withSecret = ({ endpoint, secret }: WebhookWithSecret) => {
  requestInfo().shownOnce = ["secret"]
  return { webhook: endpointBody(endpoint), secret: Redacted.value(secret) }
}

export const WebhooksHandlers = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const gates = yield* gatekeepers
    const webhooks = yield* Webhooks
    const costs = yield* ComputeUnitCosts

    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const { project } = yield* authorizeCaller(gates, "admin")
        return withSecret(yield* webhooks.create(project.id, payload))
      }, Effect.mapError(errorOfBody)),
      list: Effect.fnUntraced(function* () {
        const { project } = yield* chargeCaller(gates, "read", costs.read)
        return { webhooks: (yield* webhooks.list(project.id)).map(endpointBody) }
      }, Effect.mapError(toErrorBody)),
      show: Effect.fnUntraced(function* ({ params }) {
        const { project } = yield* chargeCaller(gates, "read", costs.read)
        return { webhook: endpointBody(yield* webhooks.get(project.id, params.id)) }
      }, Effect.mapError(toErrorBody)),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { project } = yield* authorizeCaller(gates, "admin")
        yield* webhooks.remove(project.id, params.id)
      }, Effect.mapError(toErrorBody)),
      enable: Effect.fnUntraced(function* ({ params }) {
        const { project } = yield* authorizeCaller(gates, "admin")
        return { webhook: endpointBody(yield* webhooks.enable(project.id, params.id)) }
      }, Effect.mapError(toErrorBody)),
      rotate: Effect.fnUntraced(function* ({ params, query }) {
        const { project } = yield* authorizeCaller(gates, "admin")
        return withSecret(yield* webhooks.rotate(project.id, params.id, query))
      }, Effect.mapError(errorOfQuery)),
      test: Effect.fnUntraced(function* ({ params }) {
        const { project } = yield* authorizeCaller(gates, "admin")
        return { delivery: deliveryBody(yield* webhooks.test(project.id, params.id)) }
      }, Effect.mapError(toErrorBody)),
      deliveries: Effect.fnUntraced(function* ({ params, query }) {
        const { project } = yield* chargeCaller(gates, "read", costs.read)
        const page = yield* webhooks.deliveries(project.id, params.id, {
          lastId: query.lastId ?? null,
          take: query.take
        })
        return { nextLastId: page.nextLastId, deliveries: page.deliveries.map(deliveryBody) }
      }, Effect.mapError(errorOfQuery)),
      redeliver: Effect.fnUntraced(function* ({ params }) {
        const { project } = yield* authorizeCaller(gates, "admin")
        return { delivery: deliveryBody(yield* webhooks.redeliver(project.id, params.id, params.deliveryId)) }
      }, Effect.mapError(toErrorBody))
    })
  })
)
