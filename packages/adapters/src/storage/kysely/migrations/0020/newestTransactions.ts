/**
 * Index with the order of a page and all columns by which a page is filtered, so that the index itself is sufficient to
 * exclude rows.
 */
export const newestTransactions: ReadonlyArray<string> = [
  "drop index transactions_newest",
  `create index transactions_newest on transactions
    (project_id, wallet_address, created_at desc, id desc, type, status, chain_id_in, chain_id_out, unlisted)`
]
