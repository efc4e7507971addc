import { EventLog } from "@countersign/core/tenancy/events"
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import { eventColumns, eventOfRow } from "./webhookRows.ts"

export const layer = Layer.effect(
  EventLog,
  Effect.map(Db, (db) =>
    EventLog.of({
      read: ({ after, limit, projectId }) => {
        const at = millisOf(after.at)
        const later = db.query
          .selectFrom("events")
          .select(eventColumns)
          // This simple condition repeats the lower bound, because only it can use the index.
          .where("at", ">=", at)
          .where((row) => row.or([row("at", ">", at), row("id", ">", after.id)]))
          .orderBy("at")
          .orderBy("id")
          .limit(limit)
        // The expression prevents the use of the index of a project's events, which has another order.
        const rows = db.all(projectId === null ? later : later.where(sql`project_id || ''`, "=", projectId))
        return Effect.map(rows, (eventRows) => eventRows.map(eventOfRow))
      }
    })
  )
)
