import type { ClaimedDelivery, DeliveryClaim } from "@countersign/core/webhooks"
import { Effect } from "effect"
import { sql } from "kysely"
import { byDueTime, claimingDue } from "./claims.ts"
import { millisOf } from "./codec.ts"
import type { Db } from "./Db.ts"
import type { SecretKey } from "./secrets/index.ts"
import { type DeliveryRow, deliveryColumns, deliveryOfRow, endpointOfRow, eventOfRow } from "./webhookRows.ts"

/** Claims due deliveries, then reads their endpoints and events. */
export const claimDeliveries = (db: Db["Service"], keys: ReadonlyArray<SecretKey>) => {
  const claim = ({ except, leaseUntil, limit, now, worker }: DeliveryClaim) =>
    db.all(
      claimingDue<DeliveryRow>(db, {
        from: "webhook_deliveries",
        key: sql`id`,
        only: except.length === 0 ? undefined : sql`endpoint_id not in (${sql.join(except)})`,
        order: sql`due_at, id`,
        limit,
        now: millisOf(now),
        until: millisOf(leaseUntil),
        mark: sql`claimed_by = ${worker}`,
        returning: sql.join(deliveryColumns.map(sql.ref))
      })
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
    return claims.toSorted(byDueTime).flatMap((row): ReadonlyArray<ClaimedDelivery> => {
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
