import { ATTEMPT_LOG_MAX, type DeliveryResult, type WebhookAttempt } from "@countersign/core/webhooks"
import { Clock, Effect, Option } from "effect"
import { millisOrNull } from "./codec.ts"
import type { Db } from "./Db.ts"
import { attemptLogText } from "./webhookRows.ts"

const logWith = (log: string, attempt: WebhookAttempt | null): string =>
  attempt === null ? log : attemptLogText.encode([...attemptLogText.decode(log), attempt].slice(-ATTEMPT_LOG_MAX))

/** Stores a result, unless the worker has lost its claim; when the delivery has ended, the next in its line is due. */
export const recordDelivery = (db: Db["Service"]) => {
  const find = (id: string) =>
    db.first(
      db.query
        .selectFrom("webhook_deliveries")
        .select(["project_id", "endpoint_id", "resource", "log"])
        .where("id", "=", id)
    )

  /** The row that an append of an event of the resource locks. */
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
          log: logWith(log, result.attempt)
        })
        .where("id", "=", id)
        .where("claimed_by", "=", worker)
    )

  /** Makes the earliest pending delivery of the resource to the endpoint due. */
  const makeNextDue = (endpointId: string, resource: string, now: number) =>
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

  return (id: string, worker: string, result: DeliveryResult): Effect.Effect<boolean> =>
    db.transaction(
      Effect.gen(function* () {
        const delivery = yield* find(id)
        if (Option.isNone(delivery)) return false
        const { endpoint_id: endpointId, log, project_id: projectId, resource } = delivery.value
        const hasEnded = result.status !== "PENDING"
        if (hasEnded) yield* lockResource(projectId, resource)
        if ((yield* write(id, worker, log, result)) === 0) return false
        if (hasEnded) yield* makeNextDue(endpointId, resource, yield* Clock.currentTimeMillis)
        return true
      })
    )
}
