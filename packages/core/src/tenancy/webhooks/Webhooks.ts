import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { BadRequest, requireValid } from "../../foundation/errors/index.ts"
import { Entropy, UnitOfWork } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { WebhookSender } from "./delivering/WebhookSender.ts"
import { WebhookDeliveryNotFound, WebhookDisabled, WebhookNotFound } from "./errors.ts"
import type { WebhookDelivery } from "./WebhookDelivery.ts"
import { WebhookDeliveryStore } from "./WebhookDeliveryStore.ts"
import { ENABLED_FIELDS, newEndpoint, rotateSecrets, type WebhookEndpoint } from "./WebhookEndpoint.ts"
import { WebhookEndpointStore } from "./WebhookEndpointStore.ts"
import { DeliveriesRequest, NewWebhook, SecretRotation } from "./WebhookRequests.ts"
import { webhookEvents } from "./webhookEvent.ts"

/** An endpoint and its new secret, as returned by `create` and `rotate`. */
export interface WebhookWithSecret {
  readonly endpoint: WebhookEndpoint
  readonly secret: Redacted.Redacted<string>
}

/** Maximum number of endpoints per project. It limits the deliveries per event. */
export const ENDPOINTS_MAX = 50
/** Standard Webhooks requires 24 to 64 random bytes. */
const SECRET_BYTES = 32

const requireNewWebhook = requireValid(NewWebhook)
const requireDeliveriesRequest = requireValid(DeliveriesRequest)
const requireSecretRotation = requireValid(SecretRotation)

const tooManyWebhooks = () =>
  BadRequest.of("url", "too_many", `A project may have at most ${ENDPOINTS_MAX} webhooks. Delete an unused webhook.`)

const unknownCursor = () =>
  BadRequest.of(
    "lastId",
    "unknown_cursor",
    "No delivery of this webhook has this id. Use nextLastId from the previous page, or omit lastId."
  )

/** Manages the webhook endpoints of projects and their deliveries. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    readonly create: (projectId: ProjectId, request: NewWebhook) => Effect.Effect<WebhookWithSecret, BadRequest>
    readonly list: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<WebhookEndpoint>>
    readonly get: (projectId: ProjectId, id: string) => Effect.Effect<WebhookEndpoint, WebhookNotFound>
    readonly remove: (projectId: ProjectId, id: string) => Effect.Effect<void, WebhookNotFound>
    /** Enables a disabled endpoint. `redeliver` can then send events that were not delivered in the meantime. */
    readonly enable: (projectId: ProjectId, id: string) => Effect.Effect<WebhookEndpoint, WebhookNotFound>
    /** Creates a new secret. Until the overlap ends, deliveries are also signed with the earlier secrets. */
    readonly rotate: (
      projectId: ProjectId,
      id: string,
      rotation: SecretRotation
    ) => Effect.Effect<WebhookWithSecret, WebhookNotFound | BadRequest>
    /** Sends a `webhook.test` event to only this endpoint, regardless of its event types. */
    readonly test: (
      projectId: ProjectId,
      id: string
    ) => Effect.Effect<WebhookDelivery, WebhookNotFound | WebhookDisabled>
    readonly listDeliveries: (
      projectId: ProjectId,
      id: string,
      request: DeliveriesRequest
    ) => Effect.Effect<
      { readonly deliveries: ReadonlyArray<WebhookDelivery>; readonly nextLastId: string | null },
      WebhookNotFound | BadRequest
    >
    /** Makes a delivery due again, with the same text and the same event id, and restarts its attempts. */
    readonly redeliver: (
      projectId: ProjectId,
      id: string,
      deliveryId: string
    ) => Effect.Effect<WebhookDelivery, WebhookNotFound | WebhookDeliveryNotFound | WebhookDisabled>
  }
>()("@countersign/core/webhooks/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpointStore
      const store = yield* WebhookDeliveryStore
      const sender = yield* WebhookSender
      const entropy = yield* Entropy
      const unitOfWork = yield* UnitOfWork

      const freshId = Effect.map(entropy.uuid, (uuid) => `whk_${uuid.replaceAll("-", "")}`)
      const freshSecret = Effect.map(entropy.bytes(SECRET_BYTES), (bytes) =>
        Redacted.make(`whsec_${btoa(String.fromCharCode(...bytes))}`, { label: "webhook secret" })
      )

      const get = Effect.fn("Webhooks.get")(function* (projectId: ProjectId, id: string) {
        const endpoint = yield* endpoints.find(projectId, id)
        return Option.isSome(endpoint) ? endpoint.value : yield* new WebhookNotFound({ id })
      })

      const requireEnabled = Effect.fnUntraced(function* (projectId: ProjectId, id: string) {
        const endpoint = yield* get(projectId, id)
        if (endpoint.disabledAt !== null) {
          return yield* new WebhookDisabled({ id, reason: endpoint.disabledReason ?? "an operator disabled it" })
        }
        return endpoint
      })

      const changeEndpoint = Effect.fnUntraced(function* (
        projectId: ProjectId,
        id: string,
        change: (endpoint: WebhookEndpoint) => WebhookEndpoint
      ) {
        const endpoint = yield* endpoints.change(projectId, id, change)
        return Option.isSome(endpoint) ? endpoint.value : yield* new WebhookNotFound({ id })
      })

      const cursorOf = Effect.fnUntraced(function* (projectId: ProjectId, id: string, lastId: string | null) {
        if (lastId === null) return null
        const last = yield* store.find(projectId, id, lastId)
        return Option.isSome(last) ? last.value : yield* unknownCursor()
      })

      return Webhooks.of({
        create: Effect.fn("Webhooks.create")(function* (projectId, input) {
          const request = yield* requireNewWebhook(input)
          const problem = sender.urlProblemOrNull(request.url)
          if (problem !== null) return yield* BadRequest.of("url", problem.code, problem.message)
          const secret = yield* freshSecret
          const createdAt = yield* DateTime.now
          const endpoint = newEndpoint(request, { id: yield* freshId, projectId, secret, createdAt })
          return yield* unitOfWork.run(
            Effect.gen(function* () {
              if ((yield* endpoints.count(projectId)) >= ENDPOINTS_MAX) return yield* tooManyWebhooks()
              yield* endpoints.insert(endpoint)
              return { endpoint, secret }
            })
          )
        }),
        list: endpoints.list,
        get,
        remove: Effect.fn("Webhooks.remove")(function* (projectId, id) {
          if (!(yield* endpoints.remove(projectId, id))) return yield* new WebhookNotFound({ id })
        }),
        enable: Effect.fn("Webhooks.enable")(function* (projectId, id) {
          return yield* changeEndpoint(projectId, id, (endpoint) => ({ ...endpoint, ...ENABLED_FIELDS }))
        }),
        rotate: Effect.fn("Webhooks.rotate")(function* (projectId, id, rotation) {
          const { overlapSeconds } = yield* requireSecretRotation(rotation)
          const secret = yield* freshSecret
          const now = yield* DateTime.now
          const endpoint = yield* changeEndpoint(projectId, id, (before) => ({
            ...before,
            secrets: rotateSecrets(before.secrets, secret, now, overlapSeconds)
          }))
          return { endpoint, secret }
        }),
        test: Effect.fn("Webhooks.test")(function* (projectId, id) {
          yield* requireEnabled(projectId, id)
          const delivery = yield* store.send(
            id,
            webhookEvents.eventOf({
              projectId,
              type: "webhook.test",
              id,
              at: yield* DateTime.now,
              previousStatus: null,
              resource: { webhookId: id }
            })
          )
          return Option.isSome(delivery) ? delivery.value : yield* new WebhookNotFound({ id })
        }),
        listDeliveries: Effect.fn("Webhooks.deliveries")(function* (projectId, id, request) {
          const { lastId, take } = yield* requireDeliveriesRequest(request)
          yield* get(projectId, id)
          const cursor = yield* cursorOf(projectId, id, lastId)
          // One more row than requested shows whether a next page exists.
          const rows = yield* store.list({ projectId, endpointId: id, after: cursor, take: take + 1 })
          const deliveries = rows.slice(0, take)
          return { deliveries, nextLastId: rows.length > take ? (deliveries.at(-1)?.id ?? null) : null }
        }),
        redeliver: Effect.fn("Webhooks.redeliver")(function* (projectId, id, deliveryId) {
          yield* requireEnabled(projectId, id)
          const delivery = yield* store.redeliver(projectId, id, deliveryId, yield* DateTime.now)
          return Option.isSome(delivery)
            ? delivery.value
            : yield* new WebhookDeliveryNotFound({ webhookId: id, id: deliveryId })
        })
      })
    })
  )
}
