import { WebhookEndpointStore } from "@countersign/core/tenancy/webhooks"
import { Effect, Layer, Option } from "effect"
import { NO_CLAIM } from "./claims.ts"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"
import { SecretKeys } from "./secrets/index.ts"
import { acquireAdvisoryLock } from "./transactions.ts"
import { endpointColumns, endpointFromRow, toEndpointRow } from "./webhookRows.ts"

export const layer = Layer.effect(
  WebhookEndpointStore,
  Effect.gen(function* () {
    const db = yield* Db
    const keys = yield* SecretKeys
    const fromRow = (row: Tables["webhook_endpoints"]) => endpointFromRow(keys, row)

    const find = db.prepare((query, { projectId, id }: { projectId: string; id: string }) =>
      query
        .selectFrom("webhook_endpoints")
        .select(endpointColumns)
        .where(({ and }) => and({ project_id: projectId, id }))
    )

    /** Locks the endpoint, so that no other process can change or delete it until the transaction ends. */
    const findLocked = (projectId: string, id: string) => {
      const row = db.query
        .selectFrom("webhook_endpoints")
        .select(endpointColumns)
        .where(({ and }) => and({ project_id: projectId, id }))
      return Effect.map(db.first(db.dialect === "postgres" ? row.forUpdate() : row), Option.map(fromRow))
    }

    const endPendingDeliveries = (projectId: string, endpointId: string) =>
      db.run(
        db.query
          .updateTable("webhook_deliveries")
          .set({ status: "DISABLED", due_at: null, ...NO_CLAIM })
          .where(({ and }) => and({ project_id: projectId, endpoint_id: endpointId, status: "PENDING" }))
      )

    return WebhookEndpointStore.of({
      insert: (endpoint) =>
        Effect.asVoid(db.run(db.query.insertInto("webhook_endpoints").values(toEndpointRow(keys, endpoint)))),
      find: (projectId, id) =>
        Effect.map(find({ projectId, id }), ([row]) => Option.map(Option.fromUndefinedOr(row), fromRow)),
      list: (projectId) =>
        Effect.map(
          db.all(
            db.query
              .selectFrom("webhook_endpoints")
              .select(endpointColumns)
              .where("project_id", "=", projectId)
              .orderBy("created_at")
              .orderBy("id")
          ),
          (rows) => rows.map(fromRow)
        ),
      count: Effect.fnUntraced(function* (projectId) {
        yield* acquireAdvisoryLock(db, `webhook endpoints:${projectId}`)
        const [row] = yield* db.all(
          db.query
            .selectFrom("webhook_endpoints")
            .select(({ fn }) => fn.countAll<number>().as("count"))
            .where("project_id", "=", projectId)
        )
        return Number(row!.count)
      }),
      change: (projectId, id, change) =>
        db.transaction(
          Effect.gen(function* () {
            const endpointBefore = yield* findLocked(projectId, id)
            if (Option.isNone(endpointBefore)) return endpointBefore
            const endpointAfter = change(endpointBefore.value)
            yield* db.run(
              db.query
                .updateTable("webhook_endpoints")
                .set(toEndpointRow(keys, endpointAfter))
                .where(({ and }) => and({ project_id: projectId, id }))
            )
            // On Postgres, an event that was stored while the endpoint was being disabled may have left a pending
            // delivery. It would wait without end for a delivery that has ended, and later events would wait for it.
            if (endpointBefore.value.disabledAt !== null && endpointAfter.disabledAt === null)
              yield* endPendingDeliveries(projectId, id)
            return Option.some(endpointAfter)
          })
        ),
      disable: (projectId, id, at, reason) =>
        db.transaction(
          Effect.gen(function* () {
            const disabledCount = yield* db.run(
              db.query
                .updateTable("webhook_endpoints")
                .set({ disabled_at: millisOf(at), disabled_reason: reason })
                .where(({ and }) => and({ project_id: projectId, id }))
                .where("disabled_at", "is", null)
            )
            if (disabledCount > 0) yield* endPendingDeliveries(projectId, id)
          })
        ),
      remove: (projectId, id) =>
        Effect.map(
          db.run(db.query.deleteFrom("webhook_endpoints").where(({ and }) => and({ project_id: projectId, id }))),
          (changes) => changes > 0
        )
    })
  })
)
