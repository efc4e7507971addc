import type { Claim } from "@countersign/core/executions"
import { Effect } from "effect"
import { millisOf } from "./codec.ts"
import type { Db } from "./Db.ts"

/**
 * Takes executions that are due, each with its quote, in one statement. Postgres skips the rows that another claim
 * has locked, instead of waiting for it; SQLite runs one writing statement at a time.
 */
export const claimDue = (db: Db["Service"]) => {
  type Asked = { worker: string; now: number; until: number; limit: number; acceptedAfter: number }

  const claimBy = (order: "due_at" | "newest") =>
    db.prepare((query, { acceptedAfter, worker, now, until, limit }: Asked) =>
      query
        .with("due", (within) => {
          const free = within
            .selectFrom("executions")
            .select("id")
            .where("due_at", "<=", now)
            .where((row) => row.or([row("claimed_until", "is", null), row("claimed_until", "<=", now)]))
          const ordered =
            order === "newest"
              ? free.where("accepted_at", ">", acceptedAfter).orderBy("accepted_at", "desc").orderBy("id", "desc")
              : free.orderBy("due_at").orderBy("id")
          const due = ordered.limit(limit)
          return db.dialect === "postgres" ? due.forUpdate().skipLocked() : due
        })
        .updateTable("executions")
        .set({ claimed_by: worker, claimed_until: until })
        .where("id", "in", (within) => within.selectFrom("due").select("id"))
        .returning(({ selectFrom }) => [
          "id",
          "due_at",
          "accepted_at",
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
  const claimOldestDue = claimBy("due_at")
  const claimNewest = claimBy("newest")

  return (request: Claim) => {
    const isNewest = request.acceptedAfter !== undefined
    return Effect.map(
      (isNewest ? claimNewest : claimOldestDue)({
        worker: request.worker,
        now: millisOf(request.now),
        until: millisOf(request.leaseUntil),
        limit: request.limit,
        acceptedAfter: request.acceptedAfter === undefined ? 0 : millisOf(request.acceptedAfter)
      }),
      // The order of what RETURNING gives is not that of the rows.
      (rows) =>
        rows.toSorted((a, b) =>
          isNewest
            ? b.accepted_at - a.accepted_at || (a.id > b.id ? -1 : 1)
            : (a.due_at ?? 0) - (b.due_at ?? 0) || (a.id < b.id ? -1 : 1)
        )
    )
  }
}
