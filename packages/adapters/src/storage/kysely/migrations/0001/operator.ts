/** Tables of the transactions of the bundler's operator keys, and of the processes that may send and watch them. */
export const operator = {
  tables: {
    /** The processes that have claimed an operator key on a chain, for sending and for watching. */
    operator_lanes: {
      chain_id: "integer not null",
      operator: "text not null",
      role: "text not null",
      claimed_by: "text",
      claimed_until: "integer",
      "primary key": "(chain_id, operator, role)"
    },
    operator_transactions: {
      chain_id: "integer not null",
      operator: "text not null",
      nonce: "integer not null",
      hash: "text not null",
      raw: "text not null",
      /** In wei, as decimal digits. */
      max_fee_per_gas: "text not null",
      max_priority_fee_per_gas: "text not null",
      /** JSON: lists of hashes. */
      replaced: "text not null",
      operations: "text not null",
      state: "text not null",
      block: "integer not null",
      sent_at: "integer not null",
      watched: "integer not null",
      "primary key": "(chain_id, operator, nonce)"
    },
    /** The operations by which a transaction is found. */
    operator_transaction_operations: {
      chain_id: "integer not null",
      operation_hash: "text not null",
      operator: "text not null",
      nonce: "integer not null",
      "primary key": "(chain_id, operation_hash, operator, nonce)",
      "foreign key (chain_id, operator, nonce)":
        "references operator_transactions (chain_id, operator, nonce) on delete cascade"
    }
  },
  indices: [
    "create index operator_lanes_claimed on operator_lanes (claimed_by) where claimed_by is not null",
    // Each index contains only one of the two states, so that the index of watched transactions stays small.
    "create index operator_transactions_watched on operator_transactions (chain_id, operator, nonce) where watched = 1",
    "create index operator_transactions_settled on operator_transactions (chain_id, operator, sent_at) where watched = 0",
    "create index operator_transaction_operations_nonce on operator_transaction_operations (chain_id, operator, nonce)"
  ]
} as const
