import type { Migration } from "./Migration.ts"

/** The transactions of the bundler's operator keys, and who may send and watch in their lanes. */
export const operatorTransactions: Migration = {
  name: "0009_operator_transactions",
  statements: (types) => [
    `create table operator_lanes (
      chain_id ${types.integer} not null,
      operator ${types.text} not null,
      role ${types.text} not null,
      claimed_by ${types.text},
      claimed_until ${types.integer} not null,
      primary key (chain_id, operator, role)
    )`,
    `create index operator_lanes_claimed on operator_lanes (claimed_by) where claimed_by is not null`,

    `create table operator_transactions (
      chain_id ${types.integer} not null,
      operator ${types.text} not null,
      nonce ${types.integer} not null,
      hash ${types.text} not null,
      raw ${types.text} not null,
      max_fee_per_gas ${types.text} not null,
      max_priority_fee_per_gas ${types.text} not null,
      replaced ${types.text} not null,
      operations ${types.text} not null,
      state ${types.text} not null,
      block ${types.integer} not null,
      sent_at ${types.integer} not null,
      watched ${types.integer} not null,
      primary key (chain_id, operator, nonce)
    )`,
    // What is settled stands in no index of these: they stay as small as what is on its way.
    `create index operator_transactions_watched on operator_transactions (chain_id, operator, nonce) where watched = 1`,
    `create index operator_transactions_settled on operator_transactions (chain_id, operator, sent_at) where watched = 0`,

    `create table operator_transaction_operations (
      chain_id ${types.integer} not null,
      operation_hash ${types.text} not null,
      operator ${types.text} not null,
      nonce ${types.integer} not null,
      primary key (chain_id, operation_hash, operator, nonce),
      foreign key (chain_id, operator, nonce) references operator_transactions (chain_id, operator, nonce) on delete cascade
    )`,
    `create index operator_transaction_operations_nonce on operator_transaction_operations (chain_id, operator, nonce)`
  ]
}
