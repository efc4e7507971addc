import type { TaxSchedule } from "@countersign/core/accounting/tax"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { Effect, Redacted } from "effect"
import { Db } from "./Db.ts"
import { subjectKeys } from "./KyselySubjectKeys.ts"
import type { Tables } from "./migrations/index.ts"
import { openText, SecretKeys, sealText, secretKeyOf } from "./secrets/index.ts"
import { scheduleColumns, scheduleFromRow, toScheduleRow } from "./taxRows.ts"

type Row = Tables["tax_schedules"]

const SEALED = "sealed:"

/** Returns the id of the key that encrypts the email addresses of an individual's tax export schedules in a project. */
export const taxKeyId = ({ individual, projectId }: Pick<TaxSchedule, "individual" | "projectId">): string =>
  `tax exports of ${projectId} ${individual.individualId}`

const encryptionContext = (id: string): string => `tax_schedules ${id}`

/**
 * Encrypts the email addresses of schedules with keys of their individuals. Without SECRETS_KEY there is no encryption
 * key, and an email address is stored in plain text until there is one.
 */
export const taxEmails = Effect.gen(function* () {
  const db = yield* Db
  const secretKeys = yield* SecretKeys
  const keys = yield* subjectKeys

  const toRow = Effect.fnUntraced(function* (schedule: TaxSchedule) {
    const row = toScheduleRow(schedule)
    if (secretKeys.length === 0) return row
    const key = secretKeyOf(Redacted.value(yield* keys.ensure(taxKeyId(schedule))))
    return { ...row, email: sealText([key], encryptionContext(row.id), row.email) }
  })

  /**
   * Returns the schedule of a row, with its decrypted email address. Empty if the individual's key was destroyed, so
   * that no email can be sent.
   */
  const schedulesFromRow = Effect.fnUntraced(function* (row: Row) {
    const schedule = scheduleFromRow(row)
    if (!row.email.startsWith(SEALED)) return [schedule]
    const existingKey = yield* keys.find(taxKeyId(schedule))
    if (existingKey === null) return []
    const key = secretKeyOf(Redacted.value(existingKey))
    // The address was encrypted with a key that was destroyed before the current key was created.
    if (!row.email.startsWith(`${SEALED}${key.id}:`)) return []
    return [{ ...schedule, email: Redacted.make(openText([key], encryptionContext(row.id), row.email)) }]
  })

  return {
    toRow,
    fromRows: (rows: ReadonlyArray<Row>) =>
      Effect.map(Effect.forEach(rows, schedulesFromRow), (scheduleLists) => scheduleLists.flat()),
    /** Destroys the key, so that data encrypted with it become unreadable, also in backups. */
    erase: (subject: Pick<TaxSchedule, "individual" | "projectId">) => Effect.asVoid(keys.erase(taxKeyId(subject))),
    /**
     * Deletes the schedules of a project with their runs, and destroys the keys of their email addresses. Must run in a
     * transaction.
     */
    removeProject: Effect.fnUntraced(function* (projectId: ProjectId) {
      const schedules = db.query.selectFrom("tax_schedules").select(scheduleColumns).where("project_id", "=", projectId)
      const keyIds = new Set((yield* db.all(schedules)).map((row) => taxKeyId(scheduleFromRow(row))))
      yield* db.run(db.query.deleteFrom("tax_schedules").where("project_id", "=", projectId))
      yield* Effect.forEach(keyIds, keys.erase, { discard: true })
    })
  }
})

/**
 * Encrypts the email addresses of schedules that were stored in plain text. Another process may remove or encrypt one
 * concurrently.
 */
export const sealTaxEmails = Effect.gen(function* () {
  const db = yield* Db
  const emails = yield* taxEmails
  const rows = yield* db.all(db.query.selectFrom("tax_schedules").selectAll().where("email", "not like", `${SEALED}%`))
  for (const row of rows) {
    const { email } = yield* emails.toRow(scheduleFromRow(row))
    yield* db.run(
      db.query
        .updateTable("tax_schedules")
        .set({ email })
        .where(({ and }) => and({ project_id: row.project_id, id: row.id, email: row.email }))
    )
  }
})
