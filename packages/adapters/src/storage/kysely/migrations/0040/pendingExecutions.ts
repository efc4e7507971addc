import type { ColumnTypes } from "../Migration.ts"

/**
 * Adds the party that an execution waits for in its stage, and the time after which the wait is longer than normal.
 * Null if any duration is normal.
 */
export const pendingExecutions = ({ integer, text }: ColumnTypes): ReadonlyArray<string> => [
  `alter table executions add column waits_for ${text} not null default 'CHAIN'`,
  `alter table executions add column late_at ${integer}`,
  // For executions that are pending at the upgrade, the normal wait starts at the upgrade. An execution in the stage
  // fiat-payout may be completed and only wait in case the payout is returned.
  `update executions set
    waits_for = case
      when stage in ('inclusion', 'finality', 'bitcoin-payment') then 'CHAIN'
      when stage = 'limit-order' then 'ORDER_BOOK'
      when stage = 'fiat-deposit' then 'PAYER'
      when stage in ('fiat-submission', 'fiat-payout') then 'BANK'
      else 'BRIDGE' end,
    late_at = due_at + case stage
      when 'inclusion' then 120000
      when 'finality' then 7200000
      when 'bitcoin-payment' then 259200000
      when 'across-fill' then 600000
      when 'lifi:status' then 3600000
      when 'thorchain:outbound' then 21600000
      when 'fiat-submission' then 3600000 end
  where due_at is not null`,
  "drop index executions_stage",
  "create index executions_pending on executions (stage, waits_for, due_at) where due_at is not null",
  "create index executions_late on executions (late_at, id) where due_at is not null"
]

export interface PendingExecutionColumns {
  waits_for: string
  late_at: number | null
}
