import {
  ATTEMPT_LOG_MAX,
  type ClaimedDelivery,
  type DeliveryClaim,
  type DeliveryResult,
  type WebhookAttempt,
  WebhookDeliveryQueue
} from "@countersign/core/tenancy/webhooks"
import { Clock, Effect, Layer, Option } from "effect"
import { sql } from "kysely"
import { byDueTime, claimDue, endClaim } from "./claims.ts"
import { millisOf, millisOrNull } from "./codec.ts"
import { Db } from "./Db.ts"
import { isOneOf, type ProjectRowKey } from "./projectRowKeys.ts"
import { type SecretKey, SecretKeys } from "./secrets/index.ts"
import {
  attemptLogText,
  type DeliveryRow,
  deliveryColumns,
  deliveryFromRow,
  endpointFromRow,
  eventFromRow
} from "./webhookRows.ts"

const logWith = (log: string, attempt: WebhookAttempt | null): string =>
  attempt === null ? log : attemptLogText.encode([...attemptLogText.decode(log), attempt].slice(-ATTEMPT_LOG_MAX))

/**
 * Stores a result, unless the worker has lost its claim. If the delivery has ended, the next delivery for the same
 * resource and endpoint becomes due.
 */
const recordDelivery = (db: Db["Service"]) => {
  const find = (projectId: string, id: string) =>
    db.first(
      db.query
        .selectFrom("webhook_deliveries")
        .select(["endpoint_id", "resource", "log"])
        .where(({ and }) => and({ project_id: projectId, id }))
    )

  /** Locks the row that is also locked when an event of the resource is appended. */
  const lockResource = (projectId: string, resource: string) => {
    const row = db.query
      .selectFrom("event_sequences")
      .select("last")
      .where(({ and }) => and({ project_id: projectId, resource }))
    return db.dialect === "postgres" ? db.first(row.forUpdate()) : Effect.void
  }

  const write = (projectId: string, id: string, worker: string, log: string, result: DeliveryResult) =>
    endClaim(
      db,
      "webhook_deliveries",
      { projectId, id, worker },
      {
        status: result.status,
        attempts: result.attempts,
        due_at: millisOrNull(result.nextAttemptAt),
        last_status: result.lastStatus,
        last_error: result.lastError,
        delivered_at: millisOrNull(result.deliveredAt),
        log: logWith(log, result.attempt)
      }
    )

  /** Makes the resource's earliest pending delivery to the endpoint due. */
  const makeNextDue = (projectId: string, endpointId: string, resource: string, now: number) =>
    db.run(
      db.query
        .updateTable("webhook_deliveries")
        .set({ due_at: now })
        .where("project_id", "=", projectId)
        .where("id", "=", (within) =>
          within
            .selectFrom("webhook_deliveries")
            .select("id")
            .where(({ and }) => and({ project_id: projectId, endpoint_id: endpointId, resource, status: "PENDING" }))
            .orderBy("sequence")
            .limit(1)
        )
        .where("due_at", "is", null)
    )

  return (projectId: string, id: string, worker: string, result: DeliveryResult): Effect.Effect<boolean> =>
    db.transaction(
      Effect.gen(function* () {
        const delivery = yield* find(projectId, id)
        if (Option.isNone(delivery)) return false
        const { endpoint_id: endpointId, log, resource } = delivery.value
        const hasEnded = result.status !== "PENDING"
        if (hasEnded) yield* lockResource(projectId, resource)
        if (!(yield* write(projectId, id, worker, log, result))) return false
        if (hasEnded) {
          const now = yield* Clock.currentTimeMillis
          if ((yield* makeNextDue(projectId, endpointId, resource, now)) > 0)
            yield* db.announce("WEBHOOK_DELIVERIES", now)
        }
        return true
      })
    )
}

/** Claims due deliveries, and then reads their endpoints and events. */
const claimDeliveries = (db: Db["Service"], keys: ReadonlyArray<SecretKey>) => {
  const claim = ({ except, leaseUntil, limit, now, worker }: DeliveryClaim) =>
    db.all(
      claimDue<DeliveryRow>(db, "webhook_deliveries", {
        condition: except.length === 0 ? undefined : sql`endpoint_id not in (${sql.join(except)})`,
        limit,
        now: millisOf(now),
        until: millisOf(leaseUntil),
        worker,
        returning: deliveryColumns
      })
    )

  const endpointsOf = (keys: ReadonlyArray<ProjectRowKey>) =>
    db.all(db.query.selectFrom("webhook_endpoints").selectAll().where(isOneOf(keys)))

  const eventsOf = (keys: ReadonlyArray<ProjectRowKey>) =>
    db.all(db.query.selectFrom("events").selectAll().where(isOneOf(keys)))

  return Effect.fnUntraced(function* (request: DeliveryClaim) {
    const claims = yield* claim(request)
    if (claims.length === 0) return []
    const endpoints = new Map(
      (yield* endpointsOf(claims.map((row) => [row.project_id, row.endpoint_id]))).map((row) => [row.id, row])
    )
    const events = new Map(
      (yield* eventsOf(claims.map((row) => [row.project_id, row.event_id]))).map((row) => [row.id, row])
    )
    return claims.toSorted(byDueTime).flatMap((row): ReadonlyArray<ClaimedDelivery> => {
      const endpoint = endpoints.get(row.endpoint_id)
      const event = events.get(row.event_id)
      // The endpoint and its deliveries were deleted after the claim.
      if (endpoint === undefined || event === undefined) return []
      return [
        {
          delivery: deliveryFromRow(row),
          endpoint: endpointFromRow(keys, endpoint),
          event: eventFromRow(event),
          body: event.body
        }
      ]
    })
  })
}

export const layer = Layer.effect(
  WebhookDeliveryQueue,
  Effect.gen(function* () {
    const db = yield* Db
    return WebhookDeliveryQueue.of({
      claim: claimDeliveries(db, yield* SecretKeys),
      storeBody: Effect.fnUntraced(function* (projectId, id, body) {
        const event = { project_id: projectId, id }
        yield* db.run(
          db.query
            .updateTable("events")
            .set({ body })
            .where(({ and }) => and(event))
            .where("body", "is", null)
        )
        const row = yield* db.first(
          db.query
            .selectFrom("events")
            .select("body")
            .where(({ and }) => and(event))
        )
        return Option.getOrNull(row)?.body ?? body
      }),
      record: recordDelivery(db),
      release: (projectId, id, worker) => Effect.asVoid(endClaim(db, "webhook_deliveries", { projectId, id, worker }))
    })
  })
)
