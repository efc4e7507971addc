import { type ColumnTypes, type PagedChange, withoutEscapes } from "../Migration.ts"

/** Adds the order of movements within one second: by block, then by creation time of the transaction. */
export const movementOrder = ({ integer }: ColumnTypes): ReadonlyArray<string> => [
  `alter table movements add column block_number ${integer}`,
  `alter table movements add column created_at ${integer} not null default 0`
]

/** Sets the order of movements that were recorded before these columns existed. */
export const movementOrderBackfill: PagedChange = {
  countLabel: "movements ordered by block",
  statement: (dialect, page) =>
    dialect === "sqlite"
      ? `update movements set (created_at, block_number) = (
          select created_at, cast(json_extract(record, '$.legs[' || movements.leg || '].block.number') as integer)
          from transactions where project_id = movements.project_id and id = movements.transaction_id)
        where (project_id, transaction_id) in (${page})`
      : `update movements set created_at = transactions.created_at, block_number =
          (${withoutEscapes("record")}::json -> 'legs' -> leg::int -> 'block' ->> 'number')::bigint
        from transactions where movements.project_id = transactions.project_id and transaction_id = id
          and (movements.project_id, transaction_id) in (${page})`
}

export interface MovementOrderColumns {
  block_number: number | null
  created_at: number
}
