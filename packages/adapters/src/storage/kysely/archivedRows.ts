import { Effect } from "effect"
import { type RawBuilder, sql } from "kysely"
import type { Db } from "./Db.ts"

/** A stored record, or the entry of an archived execution. */
export interface StoredOrArchived {
  readonly record: string | null
  readonly project_id: string | null
  readonly execution_id: string | null
  readonly ended_at: number | null
}

/**
 * Adds the entries of archived executions to stored records. If a lookup finds no entry, it does not read the archive.
 */
export const withArchived = (
  records: RawBuilder<unknown>,
  isKey: RawBuilder<unknown>
): RawBuilder<StoredOrArchived> => sql`
  select record, null as project_id, null as execution_id, null as ended_at from (${records}) as stored
  union all
  select null, project_id, execution_id, ended_at from archived_keys where ${isKey}`

/**
 * Reads an archived record. The statement is not prepared, so that Postgres uses the value of `ended_at` and plans for
 * one partition only.
 */
const archivedRecord = (db: Db["Service"], column: "execution" | "quote", row: StoredOrArchived) =>
  db.all(sql<{ readonly record: string }>`
    select ${sql.ref(column)} as record from archived_executions
    where project_id = ${row.project_id} and id = ${row.execution_id} and ended_at = ${row.ended_at}`)

/**
 * Returns the record that a lookup found, from the archive if it is no longer stored. Executions are only moved into
 * the archive and never out of it, so the second statement finds one that was moved after the first. The partition of
 * an entry may be detached.
 */
export const recordOf = Effect.fnUntraced(function* (
  db: Db["Service"],
  column: "execution" | "quote",
  rows: ReadonlyArray<StoredOrArchived>
) {
  const storedRecord = rows.find(({ record }) => record !== null)?.record ?? null
  if (storedRecord !== null || rows[0] === undefined) return storedRecord
  const [archivedRow] = yield* archivedRecord(db, column, rows[0])
  return archivedRow?.record ?? null
})
