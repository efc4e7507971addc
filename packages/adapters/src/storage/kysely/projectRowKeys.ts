import { type RawBuilder, sql } from "kysely"

/** Primary key of a project's row. */
export type ProjectRowKey = readonly [projectId: string, id: string]

/**
 * Builds the condition that selects rows by the primary key `(project_id, id)`. Only with this expression do both
 * engines search the index for each key.
 */
export const isOneOf = (keys: ReadonlyArray<ProjectRowKey>): RawBuilder<boolean> => {
  const uniqueKeys = new Map(keys.map((key) => [JSON.stringify(key), key]))
  const rows = Array.from(uniqueKeys.values(), ([projectId, id]) => sql`(${projectId}, ${id})`)
  return sql`(project_id, id) in (values ${sql.join(rows)})`
}
