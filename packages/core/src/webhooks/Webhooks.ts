import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { BadRequest } from "../errors/index.ts"
import type { EventFilter } from "../events/index.ts"
import { Entropy, UnitOfWork } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import { WebhookDeliveryNotFound, WebhookDisabled, WebhookNotFound } from "./errors.ts"
import type { WebhookDelivery } from "./WebhookDelivery.ts"
import { rotatedSecrets, type WebhookEndpoint } from "./WebhookEndpoint.ts"
import { WebhookSender } from "./WebhookSender.ts"
import { WebhookStore } from "./WebhookStore.ts"
import { webhookEvents } from "./webhookEvent.ts"

export interface NewWebhook {
  readonly url: string
  /** Null for all events. */
  readonly eventTypes: ReadonlyArray<EventFilter> | null
  readonly description: string
}

/** An endpoint together with its newest secret, which is not shown again. */
export interface WebhookWithSecret {
  readonly endpoint: WebhookEndpoint
  readonly secret: Redacted.Redacted<string>
}

export interface DeliveriesRequest {
  /** Id of the last delivery of the page before. */
  readonly lastId: string | null
  readonly take: number
}

export const MAX_DELIVERIES_PAGE = 100
/** Endpoints of one project: each event makes a delivery for each of them. */
export const ENDPOINTS_MAX = 50
/** For how long an earlier secret signs on at most: 7 days. */
export const OVERLAP_SECONDS_MAX = 7 * 86_400
/** Standard Webhooks wants 24 to 64 random bytes. */
const SECRET_BYTES = 32

/** The endpoints of a project, and what was sent to them. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    readonly create: (projectId: ProjectId, request: NewWebhook) => Effect.Effect<WebhookWithSecret, BadRequest>
    readonly list: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<WebhookEndpoint>>
    readonly get: (projectId: ProjectId, id: string) => Effect.Effect<WebhookEndpoint, WebhookNotFound>
    readonly remove: (projectId: ProjectId, id: string) => Effect.Effect<void, WebhookNotFound>
    /** Sends on to an endpoint that was disabled. What was not sent meanwhile has to be asked for again. */
    readonly enable: (projectId: ProjectId, id: string) => Effect.Effect<WebhookEndpoint, WebhookNotFound>
    /** Replaces the secret. Until the overlap is over, deliveries are signed with the earlier ones too. */
    readonly rotate: (
      projectId: ProjectId,
      id: string,
      overlapSeconds: number
    ) => Effect.Effect<WebhookWithSecret, WebhookNotFound | BadRequest>
    /** Sends a `webhook.test` event to this endpoint alone, whatever types it wants. */
    readonly test: (
      projectId: ProjectId,
      id: string
    ) => Effect.Effect<WebhookDelivery, WebhookNotFound | WebhookDisabled>
    readonly deliveries: (
      projectId: ProjectId,
      id: string,
      request: DeliveriesRequest
    ) => Effect.Effect<
      { readonly deliveries: ReadonlyArray<WebhookDelivery>; readonly nextLastId: string | null },
      WebhookNotFound | BadRequest
    >
    /** Sends an event again, the same bytes under the same id, at once and with all its attempts before it. */
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
      const store = yield* WebhookStore
      const sender = yield* WebhookSender
      const entropy = yield* Entropy
      const unitOfWork = yield* UnitOfWork

      const freshId = Effect.map(entropy.uuid, (uuid) => `whk_${uuid.replaceAll("-", "")}`)
      const freshSecret = Effect.map(entropy.bytes(SECRET_BYTES), (bytes) =>
        Redacted.make(`whsec_${btoa(String.fromCharCode(...bytes))}`, { label: "webhook secret" })
      )

      const get = Effect.fn("Webhooks.get")(function* (projectId: ProjectId, id: string) {
        const endpoint = yield* store.find(projectId, id)
        return Option.isSome(endpoint) ? endpoint.value : yield* new WebhookNotFound({ id })
      })

      const requireEnabled = Effect.fnUntraced(function* (projectId: ProjectId, id: string) {
        const endpoint = yield* get(projectId, id)
        if (endpoint.disabledAt !== null) {
          return yield* new WebhookDisabled({ id, reason: endpoint.disabledReason ?? "by an operator" })
        }
        return endpoint
      })

      const changed = Effect.fnUntraced(function* (
        projectId: ProjectId,
        id: string,
        change: (endpoint: WebhookEndpoint) => WebhookEndpoint
      ) {
        const endpoint = yield* store.change(projectId, id, change)
        return Option.isSome(endpoint) ? endpoint.value : yield* new WebhookNotFound({ id })
      })

      const cursorOf = Effect.fnUntraced(function* (id: string, lastId: string | null) {
        if (lastId === null) return null
        const last = yield* store.findDelivery(id, lastId)
        return Option.isSome(last)
          ? last.value
          : yield* BadRequest.of(
              "lastId",
              "unknown_cursor",
              "No delivery of this webhook has this id. Use nextLastId of the page before, or leave it out."
            )
      })

      return Webhooks.of({
        create: Effect.fn("Webhooks.create")(function* (projectId, request) {
          const problem = sender.urlProblemOrNull(request.url)
          if (problem !== null) return yield* BadRequest.of("url", problem.code, problem.message)
          const secret = yield* freshSecret
          const createdAt = yield* DateTime.now
          const endpoint: WebhookEndpoint = {
            id: yield* freshId,
            projectId,
            url: request.url,
            description: request.description,
            eventTypes: request.eventTypes,
            secrets: [{ secret, createdAt, expiresAt: null }],
            createdAt,
            disabledAt: null,
            disabledReason: null,
            failingSince: null
          }
          return yield* unitOfWork.run(
            Effect.gen(function* () {
              if ((yield* store.list(projectId)).length >= ENDPOINTS_MAX) {
                return yield* BadRequest.of(
                  "url",
                  "too_many",
                  `A project may have ${ENDPOINTS_MAX} webhooks. Delete one that is not used.`
                )
              }
              yield* store.insert(endpoint)
              return { endpoint, secret }
            })
          )
        }),
        list: store.list,
        get,
        remove: Effect.fn("Webhooks.remove")(function* (projectId, id) {
          if (!(yield* store.remove(projectId, id))) return yield* new WebhookNotFound({ id })
        }),
        enable: Effect.fn("Webhooks.enable")(function* (projectId, id) {
          return yield* changed(projectId, id, (endpoint) => ({
            ...endpoint,
            disabledAt: null,
            disabledReason: null,
            failingSince: null
          }))
        }),
        rotate: Effect.fn("Webhooks.rotate")(function* (projectId, id, overlapSeconds) {
          if (overlapSeconds < 0 || overlapSeconds > OVERLAP_SECONDS_MAX) {
            return yield* BadRequest.of(
              "overlapSeconds",
              "out_of_range",
              `An overlap may be from 0 to ${OVERLAP_SECONDS_MAX} seconds long.`
            )
          }
          const secret = yield* freshSecret
          const now = yield* DateTime.now
          const endpoint = yield* changed(projectId, id, (before) => ({
            ...before,
            secrets: rotatedSecrets(before.secrets, secret, now, overlapSeconds)
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
        deliveries: Effect.fn("Webhooks.deliveries")(function* (projectId, id, { lastId, take }) {
          yield* get(projectId, id)
          const after = yield* cursorOf(id, lastId)
          // One more than asked for tells whether there is a next page, without counting.
          const rows = yield* store.listDeliveries({ endpointId: id, after, take: take + 1 })
          const deliveries = rows.slice(0, take)
          return { deliveries, nextLastId: rows.length > take ? (deliveries.at(-1)?.id ?? null) : null }
        }),
        redeliver: Effect.fn("Webhooks.redeliver")(function* (projectId, id, deliveryId) {
          yield* requireEnabled(projectId, id)
          const delivery = yield* store.redeliver(id, deliveryId, yield* DateTime.now)
          return Option.isSome(delivery)
            ? delivery.value
            : yield* new WebhookDeliveryNotFound({ webhookId: id, id: deliveryId })
        })
      })
    })
  )
}
