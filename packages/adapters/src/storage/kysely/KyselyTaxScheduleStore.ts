import { type TaxRun, type TaxSchedule, TaxScheduleStore } from "@countersign/core/accounting/tax"
import { type DateTime, Effect, Layer } from "effect"
import { NO_CLAIM } from "./claims.ts"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import { taxEmails } from "./taxEmails.ts"
import { individualText, scheduleColumns, toRunRow } from "./taxRows.ts"

export const layer = Layer.effect(
  TaxScheduleStore,
  Effect.gen(function* () {
    const db = yield* Db
    const emails = yield* taxEmails

    const dueSchedules = db.prepare((query, { endedBy, limit }: { endedBy: number; limit: number }) =>
      query
        .selectFrom("tax_schedules")
        .select(scheduleColumns)
        .where("next_end_at", "<=", endedBy)
        // A request that began before the project's deletion may have stored its schedule after the deletion.
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom("projects")
                .select("projects.id")
                .whereRef("projects.id", "=", "tax_schedules.project_id")
                .where("projects.deleted_at", "is not", null)
            )
          )
        )
        .orderBy("next_end_at")
        .orderBy("id")
        .limit(limit)
    )

    /** Advances the schedule, unless another process has already advanced it. */
    const advance = (schedule: TaxSchedule, nextEndAt: DateTime.Utc) =>
      db.run(
        db.query
          .updateTable("tax_schedules")
          .set({ next_end_at: millisOf(nextEndAt) })
          .where(({ and }) =>
            and({ project_id: schedule.projectId, id: schedule.id, next_end_at: millisOf(schedule.nextEndAt) })
          )
      )

    const insertRun = (run: TaxRun) =>
      db.run(
        db.query
          .insertInto("tax_runs")
          .values({ ...toRunRow(run), ...NO_CLAIM })
          .onConflict((conflict) => conflict.columns(["project_id", "schedule_id", "month"]).doNothing())
      )

    return TaxScheduleStore.of({
      insert: Effect.fnUntraced(function* (schedule) {
        const row = yield* emails.toRow(schedule)
        const insertedCount = yield* db.run(
          db.query
            .insertInto("tax_schedules")
            .values(row)
            .onConflict((conflict) =>
              conflict.columns(["project_id", "wallet_address", "recurrence_preset"]).doNothing()
            )
        )
        return insertedCount === 1
      }),
      list: (projectId, walletAddress) =>
        Effect.flatMap(
          db.all(
            db.query
              .selectFrom("tax_schedules")
              .select(scheduleColumns)
              .where(({ and }) => and({ project_id: projectId, wallet_address: walletAddress }))
              .orderBy("recurrence_preset")
          ),
          emails.fromRows
        ),
      listByIndividual: (projectId, individualId) =>
        Effect.flatMap(
          db.all(
            db.query
              .selectFrom("tax_schedules")
              .select(scheduleColumns)
              .where(({ and }) =>
                and({ project_id: projectId, individual: individualText({ type: "individual", individualId }) })
              )
              .orderBy("id")
          ),
          emails.fromRows
        ),
      remove: (projectId, walletAddress) =>
        Effect.map(
          db.run(
            db.query
              .deleteFrom("tax_schedules")
              .where(({ and }) => and({ project_id: projectId, wallet_address: walletAddress }))
          ),
          (removedCount) => removedCount > 0
        ),
      erase: (projectId, individualId) => emails.erase({ projectId, individual: { type: "individual", individualId } }),
      listDue: (endedBy, limit) => Effect.flatMap(dueSchedules({ endedBy: millisOf(endedBy), limit }), emails.fromRows),
      openRun: (schedule, run, nextEndAt) =>
        db.transaction(
          Effect.gen(function* () {
            if ((yield* advance(schedule, nextEndAt)) === 0) return false
            if ((yield* insertRun(run)) === 0) return false
            yield* db.announce("TAX_RUNS", run.nextAttemptAt === null ? 0 : millisOf(run.nextAttemptAt))
            return true
          })
        )
    })
  })
)
