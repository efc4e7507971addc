import type { ColumnTypes } from "../Migration.ts"

/** Quotes, what they consist of, and the executions of those that were accepted. */
export const executions = ({ integer, text }: ColumnTypes): ReadonlyArray<string> => [
  `create table quotes (
    project_id ${text} not null,
    id ${text} not null,
    wallet_address ${text} not null,
    kind ${text} not null,
    record ${text} not null,
    created_at ${integer} not null,
    expires_at ${integer} not null,
    accepted_at ${integer},
    primary key (project_id, id)
  )`,
  `create index quotes_unsigned on quotes (expires_at, id) where accepted_at is null`,

  `create table quote_operations (
    project_id ${text} not null,
    hash ${text} not null,
    quote_id ${text} not null,
    primary key (project_id, hash),
    foreign key (project_id, quote_id) references quotes (project_id, id) on delete cascade
  )`,
  `create index quote_operations_quote on quote_operations (project_id, quote_id)`,
  // A transaction of the operator's that reverted names operations, and not whose they are.
  `create index quote_operations_hash on quote_operations (hash)`,

  `create table executions (
    id ${text} primary key,
    project_id ${text} not null,
    quote_id ${text} not null,
    stage ${text} not null,
    record ${text} not null,
    version ${integer} not null,
    accepted_at ${integer} not null,
    wallet_address ${text},
    chain_id ${integer},
    reserved_until ${integer},
    due_at ${integer},
    claimed_by ${text},
    claimed_until ${integer},
    ended_at ${integer},
    foreign key (project_id, quote_id) references quotes (project_id, id)
  )`,
  `create unique index executions_quote on executions (project_id, quote_id)`,
  // What has ended stands in none of these: they stay as small as the work at hand.
  `create index executions_due on executions (due_at, id) where due_at is not null`,
  `create index executions_oldest on executions (accepted_at, id, stage) where due_at is not null`,
  `create index executions_stage on executions (stage, due_at) where due_at is not null`,
  `create index executions_reserved on executions (wallet_address, chain_id, reserved_until)
    where reserved_until is not null`
]
