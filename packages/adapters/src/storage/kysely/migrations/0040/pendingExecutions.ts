import type { ColumnTypes } from "../Migration.ts"

/** Whom an execution waits for in its stage, and when that is longer than normal; null where it never is. */
export const pendingExecutions = ({ integer, text }: ColumnTypes): ReadonlyArray<string> => [
  `alter table executions add column waits_for ${text} not null default 'CHAIN'`,
  `alter table executions add column late_at ${integer}`,
  `update executions set waits_for = case stage
    when 'limit-order' then 'ORDER_BOOK'
    when 'fiat-deposit' then 'PAYER'
    when 'fiat-submission' then 'BANK'
    when 'fiat-payout' then 'BANK'
    else 'BRIDGE' end
  where due_at is not null and stage not in ('inclusion', 'finality', 'bitcoin-payment')`,
  "drop index executions_stage",
  "create index executions_pending on executions (stage, waits_for, due_at) where due_at is not null",
  "create index executions_late on executions (late_at, id) where due_at is not null"
]

export interface PendingExecutionColumns {
  waits_for: string
  late_at: number | null
}
