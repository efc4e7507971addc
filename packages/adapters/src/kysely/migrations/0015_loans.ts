import type { Migration } from "./Migration.ts"

/** Whose loans are watched, how far the chains were looked at, and which liquidations are in histories. */
export const loans: Migration = {
  name: "0015_loans",
  statements: ({ integer, text }) => [
    `create table watched_loans (
      chain_id ${integer} not null,
      wallet_address ${text} not null,
      project_id ${text} not null,
      primary key (chain_id, wallet_address, project_id)
    )`,
    `create table loan_cursors (
      chain_id ${integer} not null primary key,
      block_number ${integer} not null
    )`,
    `create table liquidations (
      chain_id ${integer} not null,
      transaction_hash ${text} not null,
      log_index ${integer} not null,
      project_id ${text} not null,
      transaction_id ${text} not null,
      block_number ${integer} not null,
      block_hash ${text} not null,
      primary key (chain_id, transaction_hash, log_index, project_id)
    )`,
    `create index liquidations_by_block on liquidations (chain_id, block_number)`
  ]
}
