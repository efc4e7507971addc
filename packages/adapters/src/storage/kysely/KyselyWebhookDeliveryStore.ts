import { WebhookDeliveryStore } from "@countersign/core/tenancy/webhooks"
import { Effect, Layer, Option } from "effect"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import { webhookEvents } from "./webhookEvents.ts"
import { deliveryColumns, deliveryFromRow } from "./webhookRows.ts"

export const layer = Layer.effect(
  WebhookDeliveryStore,
  Effect.gen(function* () {
    const db = yield* Db
    const events = webhookEvents(db)

    /** Locks the endpoint, so that it can't be deleted until the transaction ends. */
    const findEndpointLocked = (projectId: string, id: string) => {
      const row = db.query
        .selectFrom("webhook_endpoints")
        .select("id")
        .where(({ and }) => and({ project_id: projectId, id }))
      return db.first(db.dialect === "postgres" ? row.forKeyShare() : row)
    }

    const find = (projectId: string, endpointId: string, id: string) =>
      Effect.map(
        db.first(
          db.query
            .selectFrom("webhook_deliveries")
            .select(deliveryColumns)
            .where(({ and }) => and({ project_id: projectId, id, endpoint_id: endpointId }))
        ),
        Option.map(deliveryFromRow)
      )

    return WebhookDeliveryStore.of({
      find,
      list: ({ after, endpointId, projectId, take }) =>
        Effect.map(
          db.all(
            db.query
              .selectFrom("webhook_deliveries")
              .select(deliveryColumns)
              .where(({ and }) => and({ project_id: projectId, endpoint_id: endpointId }))
              .$if(after !== null, (rows) =>
                rows.where((row) =>
                  row(row.refTuple("created_at", "id"), "<", row.tuple(millisOf(after!.createdAt), after!.id))
                )
              )
              .orderBy("created_at", "desc")
              .orderBy("id", "desc")
              .limit(take)
          ),
          (rows) => rows.map(deliveryFromRow)
        ),
      send: (endpointId, event) =>
        db.transaction(
          Effect.gen(function* () {
            if (Option.isNone(yield* findEndpointLocked(event.projectId, endpointId))) return Option.none()
            const [row] = yield* events.appendFor(endpointId, event)
            return Option.map(Option.fromUndefinedOr(row), deliveryFromRow)
          })
        ),
      redeliver: (projectId, endpointId, id, now) =>
        db.transaction(
          Effect.gen(function* () {
            yield* db.run(
              db.query
                .updateTable("webhook_deliveries")
                .set({ status: "PENDING", attempts: 0, due_at: millisOf(now), delivered_at: null })
                .where(({ and }) => and({ project_id: projectId, id, endpoint_id: endpointId }))
                .where("claimed_by", "is", null)
                // Excludes pending deliveries without a due time, which wait for an earlier event.
                .where((row) => row.or([row("status", "!=", "PENDING"), row("due_at", "is not", null)]))
            )
            yield* db.announce("WEBHOOK_DELIVERIES", millisOf(now))
            return yield* find(projectId, endpointId, id)
          })
        )
    })
  })
)
