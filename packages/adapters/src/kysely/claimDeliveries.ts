import type { ClaimedDelivery, DeliveryClaim } from "@countersign/core/webhooks"
import { Effect } from "effect"
import { millisOf } from "./codec.ts"
import type { Db } from "./Db.ts"
import type { SecretKey } from "./secrets/index.ts"
import { deliveryColumns, deliveryOfRow, endpointOfRow, eventOfRow } from "./webhookRows.ts"

/**
 * Claims due deliveries in one statement, then reads their endpoints and events. On Postgres it skips rows that another
 * claim has locked.
 */
export const claimDeliveries = (db: Db["Service"], keys: ReadonlyArray<SecretKey>) => {
  const claim = ({ except, leaseUntil, limit, now, worker }: DeliveryClaim) =>
    db.all(
      db.query
        .with("due", (within) => {
          const due = within
            .selectFrom("webhook_deliveries")
            .select("id")
            .where("due_at", "<=", millisOf(now))
            .where((row) => row.or([row("claimed_until", "is", null), row("claimed_until", "<=", millisOf(now))]))
            .$if(except.length > 0, (some) => some.where("endpoint_id", "not in", except))
            .orderBy("due_at")
            .orderBy("id")
            .limit(limit)
          return db.dialect === "postgres" ? due.forUpdate().skipLocked() : due
        })
        .updateTable("webhook_deliveries")
        .set({ claimed_by: worker, claimed_until: millisOf(leaseUntil) })
        .where("id", "in", (within) => within.selectFrom("due").select("id"))
        .returning(deliveryColumns)
    )

  const endpointsOf = (ids: ReadonlyArray<string>) =>
    db.all(db.query.selectFrom("webhook_endpoints").selectAll().where("id", "in", ids))

  const eventsOf = (ids: ReadonlyArray<string>) =>
    db.all(db.query.selectFrom("events").selectAll().where("id", "in", ids))

  return Effect.fnUntraced(function* (request: DeliveryClaim) {
    const claims = yield* claim(request)
    if (claims.length === 0) return []
    const endpoints = new Map(
      (yield* endpointsOf([...new Set(claims.map((row) => row.endpoint_id))])).map((row) => [row.id, row])
    )
    const events = new Map(
      (yield* eventsOf([...new Set(claims.map((row) => row.event_id))])).map((row) => [row.id, row])
    )
    return claims
      .toSorted((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0) || (a.id < b.id ? -1 : 1))
      .flatMap((row): ReadonlyArray<ClaimedDelivery> => {
        const endpoint = endpoints.get(row.endpoint_id)
        const event = events.get(row.event_id)
        // The endpoint and its deliveries were deleted after the claim.
        if (endpoint === undefined || event === undefined) return []
        return [
          {
            delivery: deliveryOfRow(row),
            endpoint: endpointOfRow(keys, endpoint),
            event: eventOfRow(event),
            body: event.body
          }
        ]
      })
  })
}
