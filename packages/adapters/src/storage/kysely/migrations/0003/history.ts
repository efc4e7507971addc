/**
 * Search tables for pages of a wallet's history. With them, the number of rows that a filtered query reads depends on
 * its page and not on the length of the history.
 */
export const historyPages = {
  tables: {
    /**
     * Kinds of transactions that a wallet has or had. A kind is a combination of the values by which pages are
     * filtered.
     */
    transaction_kinds: {
      project_id: "text not null",
      wallet_address: "text not null",
      /** JSON: type, status, source chain or null, destination chain or null. */
      kind: "text not null",
      "primary key": "(project_id, wallet_address, kind)"
    },
    /** Metadata by which transactions are found, in the order of a page. */
    transaction_entries: {
      project_id: "text not null",
      transaction_id: "text not null",
      wallet_address: "text not null",
      created_at: "integer not null",
      /** Digest of a key/value pair. A value can have 4096 characters, which is more than Postgres can index. */
      entry: "text not null",
      "primary key": "(project_id, transaction_id, entry)",
      "foreign key (project_id, transaction_id)": "references transactions (project_id, id) on delete cascade"
    }
  },
  indices: [
    `create index transactions_kind on transactions
    (project_id, wallet_address, type, status, chain_id_in, chain_id_out, created_at desc, id desc, unlisted)`,
    `create index transaction_entries_newest on transaction_entries
    (project_id, wallet_address, entry, created_at desc, transaction_id desc)`
  ]
} as const

const chainText = (column: string) => `coalesce(cast(${column} as text), 'null')`

/** Fills these tables from existing records. */
export const historyPagesOfRecords: ReadonlyArray<string> = [
  `insert into transaction_kinds (project_id, wallet_address, kind)
    select distinct project_id, wallet_address,
      '["' || type || '","' || status || '",' || ${chainText("chain_id_in")} || ',' || ${chainText("chain_id_out")} || ']'
    from transactions`,
  `insert into transaction_entries (project_id, transaction_id, wallet_address, created_at, entry)
    select m.project_id, m.transaction_id, t.wallet_address, t.created_at, m.entry
    from transaction_metadata m join transactions t on t.project_id = m.project_id and t.id = m.transaction_id`,
  "drop table transaction_metadata"
]
