import type { Claim } from "@countersign/core/executions"
import { Effect } from "effect"
import { millisOf } from "./codec.ts"
import type { Db } from "./Db.ts"

/**
 * Takes executions that are due, each with its quote, in one statement. Postgres skips the rows that another claim
 * has locked, instead of waiting for it; SQLite runs one writing statement at a time.
 */
export const claimDue = (db: Db["Service"]) => {
  const claim = db.prepare(
    (query, { worker, now, until, limit }: { worker: string; now: number; until: number; limit: number }) =>
      query
        .with("due", (within) => {
          const due = within
            .selectFrom("executions")
            .select("id")
            .where("due_at", "<=", now)
            .where((row) => row.or([row("claimed_until", "is", null), row("claimed_until", "<=", now)]))
            .orderBy("due_at")
            .orderBy("id")
            .limit(limit)
          return db.dialect === "postgres" ? due.forUpdate().skipLocked() : due
        })
        .updateTable("executions")
        .set({ claimed_by: worker, claimed_until: until })
        .where("id", "in", (within) => within.selectFrom("due").select("id"))
        .returning(({ selectFrom }) => [
          "id",
          "due_at",
          "record",
          "version",
          selectFrom("quotes")
            .select("quotes.record")
            .whereRef("quotes.project_id", "=", "executions.project_id")
            .whereRef("quotes.id", "=", "executions.quote_id")
            .$asScalar()
            .$notNull()
            .as("quote")
        ])
  )

  return (request: Claim) =>
    Effect.map(
      claim({
        worker: request.worker,
        now: millisOf(request.now),
        until: millisOf(request.leaseUntil),
        limit: request.limit
      }),
      // The order of what RETURNING gives is not that of the rows.
      (rows) => rows.toSorted((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0) || (a.id < b.id ? -1 : 1))
    )
}
