import type { TaxSchedule } from "@countersign/core/accounting/tax"
import { Effect, Redacted } from "effect"
import { Db } from "./Db.ts"
import { subjectKeys } from "./KyselySubjectKeys.ts"
import type { Tables } from "./migrations/index.ts"
import { opened, SecretKeys, sealed, secretKeyOf } from "./secrets/index.ts"
import { rowOfSchedule, scheduleOfRow } from "./taxRows.ts"

type Row = Tables["tax_schedules"]

const SEALED = "sealed:"

/** The id of the key that encrypts the addresses of a project's schedules for an individual. */
export const taxKeyId = ({ individual, projectId }: Pick<TaxSchedule, "individual" | "projectId">): string =>
  `tax exports of ${projectId} ${individual.individualId}`

const placeOf = (id: string): string => `tax_schedules ${id}`

/**
 * E-mail addresses of schedules, encrypted with keys of their individuals. Without SECRETS_KEY there is no encryption
 * key, and an address is stored in plain text until there is one.
 */
export const taxEmails = Effect.gen(function* () {
  const secretKeys = yield* SecretKeys
  const keys = yield* subjectKeys

  const toRow = Effect.fnUntraced(function* (schedule: TaxSchedule) {
    const row = rowOfSchedule(schedule)
    if (secretKeys.length === 0) return row
    const key = secretKeyOf(Redacted.value(yield* keys.ensure(taxKeyId(schedule))))
    return { ...row, email: sealed([key], placeOf(row.id), row.email) }
  })

  /** None if the individual's key was destroyed: no mail can be sent. */
  const emailOfRow = Effect.fnUntraced(function* (row: Row) {
    const schedule = scheduleOfRow(row)
    if (!row.email.startsWith(SEALED)) return [schedule]
    const existingKey = yield* keys.find(taxKeyId(schedule))
    if (existingKey === null) return []
    const key = secretKeyOf(Redacted.value(existingKey))
    // Encrypted with a key that was destroyed before this one was created.
    if (!row.email.startsWith(`${SEALED}${key.id}:`)) return []
    return [{ ...schedule, email: Redacted.make(opened([key], placeOf(row.id), row.email)) }]
  })

  return {
    toRow,
    ofRows: (rows: ReadonlyArray<Row>) =>
      Effect.map(Effect.forEach(rows, emailOfRow), (scheduleLists) => scheduleLists.flat()),
    /** Destroys the key: its data become unreadable, in backups as well. */
    forget: (subject: Pick<TaxSchedule, "individual" | "projectId">) => Effect.asVoid(keys.erase(taxKeyId(subject)))
  }
})

/**
 * Encrypts addresses of schedules that were stored in plain text. Another process may remove or encrypt one
 * concurrently.
 */
export const sealTaxEmails = Effect.gen(function* () {
  const db = yield* Db
  const emails = yield* taxEmails
  const rows = yield* db.all(db.query.selectFrom("tax_schedules").selectAll().where("email", "not like", `${SEALED}%`))
  for (const row of rows) {
    const { email } = yield* emails.toRow(scheduleOfRow(row))
    yield* db.run(
      db.query
        .updateTable("tax_schedules")
        .set({ email })
        .where(({ and }) => and({ project_id: row.project_id, id: row.id, email: row.email }))
    )
  }
})
