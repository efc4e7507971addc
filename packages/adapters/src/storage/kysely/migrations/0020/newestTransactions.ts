/**
 * Index with the order of a page, and the columns of type, status, chains and unlisted tokens. So the index itself is
 * sufficient to exclude rows by these columns.
 */
export const newestTransactions: ReadonlyArray<string> = [
  "drop index transactions_newest",
  `create index transactions_newest on transactions
    (project_id, wallet_address, created_at desc, id desc, type, status, chain_id_in, chain_id_out, unlisted)`
]
