import { type ColumnTypes, type Dialect, withoutEscapes } from "../Migration.ts"

const filled: Record<Dialect, string> = {
  sqlite: `update movements set (created_at, block_number) = (
      select t.created_at, cast(json_extract(t.record, '$.legs[' || movements.leg || '].block.number') as integer)
      from transactions t where t.project_id = movements.project_id and t.id = movements.transaction_id)`,
  postgres: `update movements m set created_at = t.created_at,
      block_number = (${withoutEscapes("t.record")}::json -> 'legs' -> m.leg::int -> 'block' ->> 'number')::bigint
    from transactions t where t.project_id = m.project_id and t.id = m.transaction_id`
}

/** What orders movements of one second: the block, and the time at which the transaction was created. */
export const movementOrder = ({ integer }: ColumnTypes, dialect: Dialect): ReadonlyArray<string> => [
  `alter table movements add column block_number ${integer}`,
  `alter table movements add column created_at ${integer} not null default 0`,
  filled[dialect]
]

export interface MovementOrderColumns {
  block_number: number | null
  created_at: number
}
