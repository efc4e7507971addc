import { EventLog } from "@countersign/core/tenancy/events"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import { eventColumns, eventFromRow } from "./webhookRows.ts"

export const layer = Layer.effect(
  EventLog,
  Effect.map(Db, (db) =>
    EventLog.of({
      read: ({ after, limit, projectId }) => {
        const afterMs = millisOf(after.at)
        const laterEvents = db.query
          .selectFrom("events")
          .select(eventColumns)
          // This simple condition repeats the lower bound, because only it can use the index.
          .where("at", ">=", afterMs)
          .where((row) => row.or([row("at", ">", afterMs), row("id", ">", after.id)]))
          .orderBy("at")
          .orderBy("id")
          .limit(limit)
        // The expression prevents the use of the index of a project's events, which has another order.
        const rows = db.all(projectId === null ? laterEvents : laterEvents.where(sql`project_id || ''`, "=", projectId))
        return Effect.map(rows, (eventRows) => eventRows.map(eventFromRow))
      }
    })
  )
)
