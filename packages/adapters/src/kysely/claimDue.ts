import type { Claim } from "@countersign/core/user-operations"
import { Effect } from "effect"
import { millisOf } from "./codec.ts"
import type { Db } from "./Db.ts"

/**
 * Takes operations that are due, in one statement. Postgres steps over the rows that another claim has under its hands
 * instead of waiting for it; SQLite runs one writing statement at a time.
 */
export const claimDue = (db: Db["Service"]) => {
  const claim = db.prepare(
    (query, { worker, now, until, limit }: { worker: string; now: number; until: number; limit: number }) =>
      query
        .with("due", (within) => {
          const due = within
            .selectFrom("user_operations")
            .select("hash")
            .where("due_at", "<=", now)
            .where((row) => row.or([row("claimed_until", "is", null), row("claimed_until", "<=", now)]))
            .orderBy("due_at")
            .orderBy("hash")
            .limit(limit)
          return db.dialect === "postgres" ? due.forUpdate().skipLocked() : due
        })
        .updateTable("user_operations")
        .set({ claimed_by: worker, claimed_until: until })
        .where("hash", "in", (within) => within.selectFrom("due").select("hash"))
        .returning(["hash", "due_at", "record", "submission", "included_block", "included_hash"])
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
      (rows) => rows.toSorted((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0) || (a.hash < b.hash ? -1 : 1))
    )
}
