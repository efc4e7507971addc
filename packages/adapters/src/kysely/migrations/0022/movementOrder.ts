import type { ColumnTypes, Dialect } from "../Migration.ts"

/** Postgres reads no JSON that has an escaped NUL, not even past it. No leg has one. */
const withoutNul = String.raw`regexp_replace(t.record, '(?<!\\)((?:\\\\)*)\\u0000', '\1', 'g')`

const blockNumbers: Record<Dialect, string> = {
  sqlite: `update movements set block_number = cast(json_extract(
      (select t.record from transactions t where t.project_id = movements.project_id and t.id = movements.transaction_id),
      '$.legs[' || movements.leg || '].block.number') as integer)
    where leg is not null`,
  postgres: `update movements m set block_number =
      (${withoutNul}::json -> 'legs' -> m.leg::int -> 'block' ->> 'number')::bigint
    from transactions t where t.project_id = m.project_id and t.id = m.transaction_id and m.leg is not null`
}

/** What orders movements of one second: the block, and the time at which the transaction was created. */
export const movementOrder = ({ integer }: ColumnTypes, dialect: Dialect): ReadonlyArray<string> => [
  `alter table movements add column block_number ${integer}`,
  `alter table movements add column created_at ${integer} not null default 0`,
  `update movements set created_at = (select t.created_at from transactions t
    where t.project_id = movements.project_id and t.id = movements.transaction_id)`,
  blockNumbers[dialect]
]

export interface MovementOrderColumns {
  block_number: number | null
  created_at: number
}
