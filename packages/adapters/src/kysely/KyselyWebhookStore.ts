import { ATTEMPT_LOG_MAX, type DeliveryResult, type WebhookAttempt, WebhookStore } from "@countersign/core/webhooks"
import { Clock, Effect, Layer, Option } from "effect"
import { claimDeliveries } from "./claimDeliveries.ts"
import { millisOf, millisOrNull } from "./codec.ts"
import { Db } from "./Db.ts"
import { webhookBacklog } from "./webhookBacklog.ts"
import { webhookEvents } from "./webhookEvents.ts"
import { attemptLogText, deliveryColumns, deliveryOfRow, endpointOfRow, rowOfEndpoint } from "./webhookRows.ts"

const loggedWith = (log: string, attempt: WebhookAttempt | null): string =>
  attempt === null ? log : attemptLogText.encode([...attemptLogText.decode(log), attempt].slice(-ATTEMPT_LOG_MAX))

export const layer = Layer.effect(
  WebhookStore,
  Effect.gen(function* () {
    const db = yield* Db
    const events = webhookEvents(db)

    const find = db.prepare((query, { projectId, id }: { projectId: string; id: string }) =>
      query
        .selectFrom("webhook_endpoints")
        .select([
          "id",
          "project_id",
          "url",
          "description",
          "event_types",
          "secrets",
          "created_at",
          "disabled_at",
          "disabled_reason",
          "failing_since"
        ])
        .where("id", "=", id)
        .where("project_id", "=", projectId)
    )

    /** The endpoint, which nobody else changes or deletes until the transaction ends. */
    const lockEndpoint = (projectId: string, id: string) => {
      const row = db.query
        .selectFrom("webhook_endpoints")
        .selectAll()
        .where("id", "=", id)
        .where("project_id", "=", projectId)
      return Effect.map(db.first(db.dialect === "postgres" ? row.forUpdate() : row), Option.map(endpointOfRow))
    }

    /** Keeps the endpoint from being deleted until the transaction ends. */
    const holdEndpoint = (id: string) => {
      const row = db.query.selectFrom("webhook_endpoints").select("id").where("id", "=", id)
      return db.first(db.dialect === "postgres" ? row.forKeyShare() : row)
    }

    const findDelivery = (endpointId: string, id: string) =>
      Effect.map(
        db.first(
          db.query
            .selectFrom("webhook_deliveries")
            .select(deliveryColumns)
            .where("id", "=", id)
            .where("endpoint_id", "=", endpointId)
        ),
        Option.map(deliveryOfRow)
      )

    /** The row that whoever writes an event of the resource holds as well. */
    const lockResource = (projectId: string, resource: string) => {
      const row = db.query
        .selectFrom("event_sequences")
        .select("last")
        .where("project_id", "=", projectId)
        .where("resource", "=", resource)
      return db.dialect === "postgres" ? db.first(row.forUpdate()) : Effect.void
    }

    const write = (id: string, worker: string, log: string, result: DeliveryResult) =>
      db.run(
        db.query
          .updateTable("webhook_deliveries")
          .set({
            status: result.status,
            attempts: result.attempts,
            due_at: millisOrNull(result.nextAttemptAt),
            claimed_by: null,
            claimed_until: null,
            last_status: result.lastStatus,
            last_error: result.lastError,
            delivered_at: millisOrNull(result.deliveredAt),
            log: loggedWith(log, result.attempt)
          })
          .where("id", "=", id)
          .where("claimed_by", "=", worker)
      )

    /** The delivery that is the first in the line to the endpoint from now on. */
    const advance = (endpointId: string, resource: string, now: number) =>
      db.run(
        db.query
          .updateTable("webhook_deliveries")
          .set({ due_at: now })
          .where("id", "=", (within) =>
            within
              .selectFrom("webhook_deliveries")
              .select("id")
              .where("endpoint_id", "=", endpointId)
              .where("resource", "=", resource)
              .where("status", "=", "PENDING")
              .orderBy("sequence")
              .limit(1)
          )
          .where("due_at", "is", null)
      )

    return WebhookStore.of({
      insert: (endpoint) =>
        Effect.asVoid(db.run(db.query.insertInto("webhook_endpoints").values(rowOfEndpoint(endpoint)))),
      find: (projectId, id) =>
        Effect.map(find({ projectId, id }), ([row]) => Option.map(Option.fromUndefinedOr(row), endpointOfRow)),
      list: (projectId) =>
        Effect.map(
          db.all(
            db.query
              .selectFrom("webhook_endpoints")
              .selectAll()
              .where("project_id", "=", projectId)
              .orderBy("created_at")
              .orderBy("id")
          ),
          (rows) => rows.map(endpointOfRow)
        ),
      change: (projectId, id, change) =>
        db.transaction(
          Effect.gen(function* () {
            const before = yield* lockEndpoint(projectId, id)
            if (Option.isNone(before)) return before
            const after = change(before.value)
            yield* db.run(db.query.updateTable("webhook_endpoints").set(rowOfEndpoint(after)).where("id", "=", id))
            return Option.some(after)
          })
        ),
      disable: (projectId, id, at, reason) =>
        db.transaction(
          Effect.gen(function* () {
            const disabled = yield* db.run(
              db.query
                .updateTable("webhook_endpoints")
                .set({ disabled_at: millisOf(at), disabled_reason: reason })
                .where("id", "=", id)
                .where("project_id", "=", projectId)
                .where("disabled_at", "is", null)
            )
            if (disabled === 0) return
            yield* db.run(
              db.query
                .updateTable("webhook_deliveries")
                .set({ status: "DISABLED", due_at: null, claimed_by: null, claimed_until: null })
                .where("endpoint_id", "=", id)
                .where("status", "=", "PENDING")
            )
          })
        ),
      remove: (projectId, id) =>
        Effect.map(
          db.run(db.query.deleteFrom("webhook_endpoints").where("id", "=", id).where("project_id", "=", projectId)),
          (changes) => changes > 0
        ),
      send: (endpointId, event) =>
        db.transaction(
          Effect.gen(function* () {
            if (Option.isNone(yield* holdEndpoint(endpointId))) return Option.none()
            const [row] = yield* events.appendFor(endpointId, event)
            return Option.map(Option.fromUndefinedOr(row), deliveryOfRow)
          })
        ),
      claim: claimDeliveries(db),
      keepBody: Effect.fnUntraced(function* (eventId, body) {
        yield* db.run(db.query.updateTable("events").set({ body }).where("id", "=", eventId).where("body", "is", null))
        const kept = yield* db.first(db.query.selectFrom("events").select("body").where("id", "=", eventId))
        return Option.getOrNull(kept)?.body ?? body
      }),
      record: (id, worker, result) =>
        db.transaction(
          Effect.gen(function* () {
            const delivery = yield* db.first(
              db.query
                .selectFrom("webhook_deliveries")
                .select(["project_id", "endpoint_id", "resource", "log"])
                .where("id", "=", id)
            )
            if (Option.isNone(delivery)) return false
            const { endpoint_id: endpointId, log, project_id: projectId, resource } = delivery.value
            const isEnd = result.status !== "PENDING"
            if (isEnd) yield* lockResource(projectId, resource)
            if ((yield* write(id, worker, log, result)) === 0) return false
            if (isEnd) yield* advance(endpointId, resource, yield* Clock.currentTimeMillis)
            return true
          })
        ),
      release: (id, worker) =>
        Effect.asVoid(
          db.run(
            db.query
              .updateTable("webhook_deliveries")
              .set({ claimed_by: null, claimed_until: null })
              .where("id", "=", id)
              .where("claimed_by", "=", worker)
          )
        ),
      releaseAll: Effect.asVoid(
        db.run(
          db.query
            .updateTable("webhook_deliveries")
            .set({ claimed_by: null, claimed_until: null })
            .where("due_at", "is not", null)
            .where("claimed_by", "is not", null)
        )
      ),
      findDelivery,
      listDeliveries: ({ after, endpointId, take }) =>
        Effect.map(
          db.all(
            db.query
              .selectFrom("webhook_deliveries")
              .select(deliveryColumns)
              .where("endpoint_id", "=", endpointId)
              .$if(after !== null, (rows) =>
                rows.where((row) =>
                  row(row.refTuple("created_at", "id"), "<", row.tuple(millisOf(after!.createdAt), after!.id))
                )
              )
              .orderBy("created_at", "desc")
              .orderBy("id", "desc")
              .limit(take)
          ),
          (rows) => rows.map(deliveryOfRow)
        ),
      backlog: webhookBacklog(db),
      redeliver: (endpointId, id, now) =>
        db.transaction(
          Effect.gen(function* () {
            yield* db.run(
              db.query
                .updateTable("webhook_deliveries")
                .set({ status: "PENDING", attempts: 0, due_at: millisOf(now), delivered_at: null })
                .where("id", "=", id)
                .where("endpoint_id", "=", endpointId)
                .where("claimed_by", "is", null)
                // Pending and not due: it waits for an earlier event.
                .where((row) => row.or([row("status", "!=", "PENDING"), row("due_at", "is not", null)]))
            )
            return yield* findDelivery(endpointId, id)
          })
        )
    })
  })
)
