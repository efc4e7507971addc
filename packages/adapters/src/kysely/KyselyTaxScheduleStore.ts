import { type TaxRun, type TaxSchedule, TaxScheduleStore } from "@countersign/core/tax"
import { type DateTime, Effect, Layer } from "effect"
import { millisOf } from "./codec.ts"
import { Db } from "./Db.ts"
import { individualText, rowOfRun, rowOfSchedule, scheduleColumns, scheduleOfRow } from "./taxRows.ts"

export const layer = Layer.effect(
  TaxScheduleStore,
  Effect.gen(function* () {
    const db = yield* Db

    const due = db.prepare((query, { endedBy, limit }: { endedBy: number; limit: number }) =>
      query
        .selectFrom("tax_schedules")
        .select(scheduleColumns)
        .where("next_end_at", "<=", endedBy)
        .orderBy("next_end_at")
        .orderBy("id")
        .limit(limit)
    )

    /** Moves the schedule on, unless another process did. */
    const moveOn = (schedule: TaxSchedule, nextEndAt: DateTime.Utc) =>
      db.run(
        db.query
          .updateTable("tax_schedules")
          .set({ next_end_at: millisOf(nextEndAt) })
          .where(({ and }) => and({ id: schedule.id, next_end_at: millisOf(schedule.nextEndAt) }))
      )

    const insertRun = (run: TaxRun) =>
      db.run(
        db.query
          .insertInto("tax_runs")
          .values({ ...rowOfRun(run), claimed_by: null, claimed_until: null })
          .onConflict((conflict) => conflict.columns(["schedule_id", "month"]).doNothing())
      )

    return TaxScheduleStore.of({
      insert: (schedule) =>
        Effect.map(
          db.run(
            db.query
              .insertInto("tax_schedules")
              .values(rowOfSchedule(schedule))
              .onConflict((conflict) =>
                conflict.columns(["project_id", "wallet_address", "recurrence_preset"]).doNothing()
              )
          ),
          (inserted) => inserted === 1
        ),
      list: (projectId, walletAddress) =>
        Effect.map(
          db.all(
            db.query
              .selectFrom("tax_schedules")
              .select(scheduleColumns)
              .where(({ and }) => and({ project_id: projectId, wallet_address: walletAddress }))
              .orderBy("recurrence_preset")
          ),
          (rows) => rows.map(scheduleOfRow)
        ),
      ofIndividual: (projectId, individualId) =>
        Effect.map(
          db.all(
            db.query
              .selectFrom("tax_schedules")
              .select(scheduleColumns)
              .where(({ and }) =>
                and({ project_id: projectId, individual: individualText({ type: "individual", individualId }) })
              )
              .orderBy("id")
          ),
          (rows) => rows.map(scheduleOfRow)
        ),
      remove: (projectId, walletAddress) =>
        Effect.map(
          db.run(
            db.query
              .deleteFrom("tax_schedules")
              .where(({ and }) => and({ project_id: projectId, wallet_address: walletAddress }))
          ),
          (removed) => removed > 0
        ),
      due: (endedBy, limit) =>
        Effect.map(due({ endedBy: millisOf(endedBy), limit }), (rows) => rows.map(scheduleOfRow)),
      open: (schedule, run, nextEndAt) =>
        db.transaction(
          Effect.gen(function* () {
            if ((yield* moveOn(schedule, nextEndAt)) === 0) return false
            return (yield* insertRun(run)) === 1
          })
        )
    })
  })
)
