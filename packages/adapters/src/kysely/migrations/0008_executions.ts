import { conversion } from "./0008/conversion.ts"
import { type ColumnTypes, columnTypes, type Migration } from "./Migration.ts"

/** SQLite can't drop NOT NULL, so another column replaces it. */
const nullable = (types: ColumnTypes, column: string): ReadonlyArray<string> =>
  types === columnTypes.sqlite
    ? [
        `alter table transactions rename column ${column} to ${column}_before`,
        `alter table transactions add column ${column} ${types.integer}`,
        `update transactions set ${column} = ${column}_before`,
        `alter table transactions drop column ${column}_before`
      ]
    : [`alter table transactions alter column ${column} drop not null`]

/** Quotes and executions take the place of operations; transactions may end on no chain, and have several legs. */
export const executions: Migration = {
  name: "0008_executions",
  statements: (types) => [
    `create table quotes (
      project_id ${types.text} not null,
      id ${types.text} not null,
      wallet_address ${types.text} not null,
      kind ${types.text} not null,
      record ${types.text} not null,
      created_at ${types.integer} not null,
      expires_at ${types.integer} not null,
      accepted_at ${types.integer},
      primary key (project_id, id)
    )`,
    `create index quotes_unsigned on quotes (expires_at, id) where accepted_at is null`,

    `create table quote_operations (
      project_id ${types.text} not null,
      hash ${types.text} not null,
      quote_id ${types.text} not null,
      primary key (project_id, hash),
      foreign key (project_id, quote_id) references quotes (project_id, id) on delete cascade
    )`,
    `create index quote_operations_quote on quote_operations (project_id, quote_id)`,

    `create table executions (
      id ${types.text} primary key,
      project_id ${types.text} not null,
      quote_id ${types.text} not null,
      stage ${types.text} not null,
      record ${types.text} not null,
      version ${types.integer} not null,
      accepted_at ${types.integer} not null,
      due_at ${types.integer},
      claimed_by ${types.text},
      claimed_until ${types.integer},
      ended_at ${types.integer},
      foreign key (project_id, quote_id) references quotes (project_id, id)
    )`,
    `create unique index executions_quote on executions (project_id, quote_id)`,
    // What has ended stands in none of these: they stay as small as the work at hand.
    `create index executions_due on executions (due_at, id) where due_at is not null`,
    `create index executions_oldest on executions (accepted_at, id, stage) where due_at is not null`,
    `create index executions_stage on executions (stage, due_at) where due_at is not null`,

    `create table transaction_legs (
      project_id ${types.text} not null,
      transaction_id ${types.text} not null,
      position ${types.integer} not null,
      chain_id ${types.integer} not null,
      hash ${types.text} not null,
      primary key (project_id, transaction_id, position),
      foreign key (project_id, transaction_id) references transactions (project_id, id) on delete cascade
    )`,
    `create index transaction_legs_hash on transaction_legs (project_id, hash, transaction_id)`,

    ...nullable(types, "chain_id_in"),
    ...nullable(types, "chain_id_out")
  ],
  convert: conversion,
  removals: () => [
    "drop index transactions_hash",
    "alter table transactions drop column transaction_hash",
    "drop table user_operations"
  ]
}
