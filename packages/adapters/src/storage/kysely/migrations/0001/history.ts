/** Tables of the transactions of wallets, and their search tables. */
export const history = {
  tables: {
    transactions: {
      project_id: "text not null",
      id: "text not null",
      wallet_address: "text not null",
      type: "text not null",
      status: "text not null",
      /** Null if this side is not on a chain. */
      chain_id_in: "integer",
      chain_id_out: "integer",
      user_operation_hash: "text",
      subject: "text",
      created_at: "integer not null",
      /** The complete transaction. The columns above repeat its fields for filters and sorting. */
      record: "text not null",
      "primary key": "(project_id, id)"
    },
    /** On-chain hashes by which a transaction is found: those of its legs. */
    transaction_legs: {
      project_id: "text not null",
      transaction_id: "text not null",
      position: "integer not null",
      chain_id: "integer not null",
      hash: "text not null",
      "primary key": "(project_id, transaction_id, position)",
      "foreign key (project_id, transaction_id)": "references transactions (project_id, id) on delete cascade"
    },
    transaction_metadata: {
      project_id: "text not null",
      transaction_id: "text not null",
      /** Digest of a key/value pair. A value can have 4096 characters, which is more than Postgres can index. */
      entry: "text not null",
      "primary key": "(project_id, transaction_id, entry)",
      "foreign key (project_id, transaction_id)": "references transactions (project_id, id) on delete cascade"
    }
  },
  indices: [
    // The indexes of `transactions` end with the columns of the list's order, so that a page is read without sorting.
    "create index transactions_newest on transactions (project_id, wallet_address, created_at desc, id desc)",
    `create index transactions_user_operation
    on transactions (project_id, wallet_address, user_operation_hash, created_at desc, id desc)
    where user_operation_hash is not null`,
    `create index transactions_subject
    on transactions (project_id, wallet_address, subject, created_at desc, id desc)
    where subject is not null`,
    "create index transaction_legs_hash on transaction_legs (project_id, hash, transaction_id)",
    "create index transaction_metadata_entry on transaction_metadata (project_id, entry, transaction_id)"
  ]
} as const
