import { TaxRun, TaxSchedule } from "@countersign/core/accounting/tax"
import { Redacted, Schema } from "effect"
import { Instant, InstantOrNull, Json, rowCodec } from "./codec.ts"
import type { Tables } from "./migrations/index.ts"

const scheduleRow = rowCodec(Schema.Struct({ ...TaxSchedule.fields, email: Schema.String }), {
  individual: Json(TaxSchedule.fields.individual),
  emailCustomization: Json(TaxSchedule.fields.emailCustomization),
  createdAt: Instant,
  nextEndAt: Instant
})

/** Serializes an individual in the format of a row. */
export const individualText = Schema.encodeSync(Json(TaxSchedule.fields.individual))

export const scheduleColumns = scheduleRow.columns

export const toScheduleRow = (schedule: TaxSchedule): Tables["tax_schedules"] =>
  scheduleRow.rowOf({ ...schedule, email: Redacted.value(schedule.email) })

export const scheduleFromRow = (row: Tables["tax_schedules"]): TaxSchedule => {
  const schedule = scheduleRow.fromRow(row)
  return { ...schedule, email: Redacted.make(schedule.email) }
}

// `due_at` is the time of the next attempt.
const runRow = rowCodec(
  TaxRun.mapFields(({ nextAttemptAt, ...fields }) => ({ ...fields, dueAt: nextAttemptAt })),
  { dueAt: InstantOrNull, createdAt: Instant, endedAt: InstantOrNull }
)

export const runColumns = runRow.columns

export type RunRow = Pick<Tables["tax_runs"], (typeof runColumns)[number]>

export const toRunRow = ({ nextAttemptAt, ...run }: TaxRun): RunRow => runRow.rowOf({ ...run, dueAt: nextAttemptAt })

export const runFromRow = (row: RunRow): TaxRun => {
  const { dueAt, ...run } = runRow.fromRow(row)
  return { ...run, nextAttemptAt: dueAt }
}
