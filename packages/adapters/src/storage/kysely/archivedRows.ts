import { Effect } from "effect"
import { type RawBuilder, sql } from "kysely"
import type { Db } from "./Db.ts"

/** A stored record, or the key of an archived execution. */
export interface StoredOrArchived {
  readonly record: string | null
  readonly project_id: string | null
  readonly execution_id: string | null
  readonly ended_at: number | null
}

/** Adds the keys of archived executions to stored records. A look-up that finds no key does not read the archive. */
export const orArchived = (
  records: RawBuilder<unknown>,
  isKey: RawBuilder<unknown>
): RawBuilder<StoredOrArchived> => sql`
  select record, null as project_id, null as execution_id, null as ended_at from (${records}) as stored
  union all
  select null, project_id, execution_id, ended_at from archived_keys where ${isKey}`

/** Not prepared: with the values of `ended_at`, Postgres plans for one partition. */
const archivedRecord = (db: Db["Service"], column: "execution" | "quote", row: StoredOrArchived) =>
  db.all(sql<{ readonly record: string }>`
    select ${sql.ref(column)} as record from archived_executions
    where project_id = ${row.project_id} and id = ${row.execution_id} and ended_at = ${row.ended_at}`)

/**
 * The record of a look-up, from the archive if it is not stored. Executions are only moved into the archive, so that
 * the second statement finds one that is moved after the first. The partition of a key may be detached.
 */
export const recordOf = Effect.fnUntraced(function* (
  db: Db["Service"],
  column: "execution" | "quote",
  rows: ReadonlyArray<StoredOrArchived>
) {
  const stored = rows.find(({ record }) => record !== null)?.record ?? null
  if (stored !== null || rows[0] === undefined) return stored
  const [archived] = yield* archivedRecord(db, column, rows[0])
  return archived?.record ?? null
})
