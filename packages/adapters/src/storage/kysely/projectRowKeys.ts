import { type RawBuilder, sql } from "kysely"

/** The key of a row of a project. */
export type ProjectRowKey = readonly [projectId: string, id: string]

/** Finds rows by the primary key `(project_id, id)`. Both engines search the index for each key, in this form only. */
export const isOneOf = (keys: ReadonlyArray<ProjectRowKey>): RawBuilder<boolean> => {
  const unique = new Map(keys.map((key) => [JSON.stringify(key), key]))
  const rows = Array.from(unique.values(), ([projectId, id]) => sql`(${projectId}, ${id})`)
  return sql`(project_id, id) in (values ${sql.join(rows)})`
}
