import { type ClaimedRun, type RunBacklog, TaxRunStore, TROUBLED_RUNS_MAX } from "@countersign/core/accounting/tax"
import type { WorkClaim } from "@countersign/core/foundation/work"
import { type DateTime, Effect, Layer } from "effect"
import { sql } from "kysely"
import { byDueTime, claimDue, endClaim } from "./claims.ts"
import { instantOrNull, millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import { isOneOf, type ProjectRowKey } from "./projectRowKeys.ts"
import { taxEmails } from "./taxEmails.ts"
import { type RunRow, runColumns, runFromRow, scheduleColumns, toRunRow } from "./taxRows.ts"

/** Claims due runs, and then reads their schedules. */
const claimRuns = (db: Db["Service"], emails: Effect.Success<typeof taxEmails>) => {
  const claim = ({ leaseUntil, limit, now, worker }: WorkClaim) =>
    db.all(
      claimDue<RunRow>(db, "tax_runs", {
        limit,
        now: millisOf(now),
        until: millisOf(leaseUntil),
        worker,
        returning: runColumns
      })
    )

  const schedulesOf = (keys: ReadonlyArray<ProjectRowKey>) =>
    db.all(db.query.selectFrom("tax_schedules").select(scheduleColumns).where(isOneOf(keys)))

  return Effect.fnUntraced(function* (request: WorkClaim) {
    const claims = yield* claim(request)
    if (claims.length === 0) return []
    const rows = yield* schedulesOf(claims.map((row) => [row.project_id, row.schedule_id]))
    const schedules = new Map((yield* emails.fromRows(rows)).map((schedule) => [schedule.id, schedule]))
    return claims.toSorted(byDueTime).flatMap((row): ReadonlyArray<ClaimedRun> => {
      const schedule = schedules.get(row.schedule_id)
      // The schedule with its runs, or the individual, was deleted after the claim.
      return schedule === undefined ? [] : [{ run: runFromRow(row), schedule }]
    })
  })
}

/**
 * Reads the pending runs. Constants are literals, because the condition must equal that of the partial index. Neither
 * engine uses the index with parameters.
 */
const readBacklog = (db: Db["Service"]) => {
  const dueRuns = db.prepare((query, { now }: { now: number }) =>
    query
      .selectFrom("tax_runs")
      .select(({ fn }) => [fn.countAll<number>().as("due"), fn.min("due_at").as("oldest")])
      .where("due_at", "<=", now)
  )
  const retryingRuns = db.prepare((query, { limit }: { limit: number }) =>
    query
      .selectFrom("tax_runs")
      .select(runColumns)
      .where("due_at", "is not", null)
      .where("attempts", ">", sql.lit(0))
      .orderBy("due_at")
      .orderBy("id")
      .limit(limit)
  )
  const failedRuns = db.prepare((query, { limit }: { limit: number }) =>
    query
      .selectFrom("tax_runs")
      .select(runColumns)
      .where("status", "=", sql.lit("FAILED"))
      .orderBy("ended_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
  )

  return Effect.fnUntraced(function* (now: DateTime.Utc) {
    const [summary] = yield* dueRuns({ now: millisOf(now) })
    const limit = TROUBLED_RUNS_MAX
    const backlog: RunBacklog = {
      due: summary?.due ?? 0,
      oldestDueAt: instantOrNull(summary?.oldest ?? null),
      troubled: [...(yield* retryingRuns({ limit })), ...(yield* failedRuns({ limit }))].map(runFromRow)
    }
    return backlog
  })
}

export const layer = Layer.effect(
  TaxRunStore,
  Effect.gen(function* () {
    const db = yield* Db
    const emails = yield* taxEmails
    return TaxRunStore.of({
      claim: claimRuns(db, emails),
      record: (run, worker) =>
        endClaim(db, "tax_runs", { projectId: run.projectId, id: run.id, worker }, toRunRow(run)),
      release: (projectId, id, worker) => Effect.asVoid(endClaim(db, "tax_runs", { projectId, id, worker })),
      list: (projectId, scheduleId, limit) =>
        Effect.map(
          db.all(
            db.query
              .selectFrom("tax_runs")
              .select(runColumns)
              .where(({ and }) => and({ project_id: projectId, schedule_id: scheduleId }))
              .orderBy("month", "desc")
              .limit(limit)
          ),
          (rows) => rows.map(runFromRow)
        ),
      readBacklog: readBacklog(db)
    })
  })
)
