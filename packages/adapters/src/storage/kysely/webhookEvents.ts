import { randomUUID } from "node:crypto"
import { type DomainEvent, EventId, matchesFilters, type NewEvent } from "@countersign/core/tenancy/events"
import { Clock, Effect } from "effect"
import { NO_CLAIM } from "./claims.ts"
import type { Db } from "./Db.ts"
import type { Tables } from "./migrations/index.ts"
import { attemptLogText, eventTypesOf, toEventRow } from "./webhookRows.ts"

const hexId = () => randomUUID().replaceAll("-", "")

export const resourceText = ({ resource }: Pick<NewEvent, "resource">): string => `${resource.kind}:${resource.id}`

/** Stores events and their deliveries in the fiber's transaction. */
export const webhookEvents = (db: Db["Service"]) => {
  // The update locks the row until the transaction ends, so that no other process numbers the resource's events or ends
  // its deliveries.
  const nextSequence = db.prepare((query, { projectId, resource }: { projectId: string; resource: string }) =>
    query
      .insertInto("event_sequences")
      .values({ project_id: projectId, resource, last: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(["project_id", "resource"])
          .doUpdateSet((row) => ({ last: row("event_sequences.last", "+", 1) }))
      )
      .returning("last")
  )

  // Locked on Postgres, so that the endpoints can't be deleted in the meantime. They can still be disabled. When such
  // an endpoint is enabled again, its pending deliveries end.
  const enabledEndpoints = db.prepare((query, { projectId }: { projectId: string }) => {
    const endpoints = query
      .selectFrom("webhook_endpoints")
      .select(["id", "event_types"])
      .where("project_id", "=", projectId)
      .where("disabled_at", "is", null)
      .orderBy("created_at")
      .orderBy("id")
    return db.dialect === "postgres" ? endpoints.forKeyShare() : endpoints
  })

  const write = Effect.fnUntraced(function* (event: NewEvent) {
    const [counter] = yield* nextSequence({ projectId: event.projectId, resource: resourceText(event) })
    const domainEvent: DomainEvent = { ...event, id: EventId.make(`msg_${hexId()}`), sequence: counter!.last }
    yield* db.run(db.query.insertInto("events").values(toEventRow(domainEvent)))
    return domainEvent
  })

  /** Returns the endpoints that have a pending delivery of an earlier event of the resource. */
  const waitingEndpoints = (endpointIds: ReadonlyArray<string>, event: DomainEvent) =>
    event.sequence === 1
      ? Effect.succeed([])
      : db.all(
          db.query
            .selectFrom("webhook_deliveries")
            .select("endpoint_id")
            .where("endpoint_id", "in", endpointIds)
            .where(({ and }) => and({ project_id: event.projectId, resource: resourceText(event), status: "PENDING" }))
        )

  const fanOut = Effect.fnUntraced(function* (event: DomainEvent, endpointIds: ReadonlyArray<string>) {
    if (endpointIds.length === 0) return []
    const waitingIds = new Set((yield* waitingEndpoints(endpointIds, event)).map((row) => row.endpoint_id))
    const now = yield* Clock.currentTimeMillis
    const rows = endpointIds.map((endpointId): Tables["webhook_deliveries"] => ({
      id: `dlv_${hexId()}`,
      project_id: event.projectId,
      endpoint_id: endpointId,
      event_id: event.id,
      event_type: event.type,
      resource: resourceText(event),
      sequence: event.sequence,
      status: "PENDING",
      attempts: 0,
      due_at: waitingIds.has(endpointId) ? null : now,
      ...NO_CLAIM,
      last_status: null,
      last_error: null,
      created_at: now,
      delivered_at: null,
      log: attemptLogText.encode([])
    }))
    yield* db.run(db.query.insertInto("webhook_deliveries").values(rows))
    yield* db.announce("WEBHOOK_DELIVERIES", now)
    return rows
  })

  return {
    /** Appends an event, and a delivery for every enabled endpoint with a matching filter. */
    append: (event: NewEvent) =>
      db.transaction(
        Effect.gen(function* () {
          const domainEvent = yield* write(event)
          const endpoints = yield* enabledEndpoints({ projectId: event.projectId })
          const matchingIds = endpoints
            .filter((row) => matchesFilters(eventTypesOf(row.event_types), event.type))
            .map(({ id }) => id)
          yield* fanOut(domainEvent, matchingIds)
          return domainEvent
        })
      ),
    /**
     * Appends an event, and a delivery for one endpoint. The caller must have locked the endpoint's row, so that it
     * can't be deleted in the meantime.
     */
    appendFor: (endpointId: string, event: NewEvent) =>
      Effect.flatMap(write(event), (domainEvent) => fanOut(domainEvent, [endpointId]))
  }
}
