/** The order of a page, with all columns that a page is filtered by: the index alone excludes rows. */
export const newestTransactions: ReadonlyArray<string> = [
  "drop index transactions_newest",
  `create index transactions_newest on transactions
    (project_id, wallet_address, created_at desc, id desc, type, status, chain_id_in, chain_id_out, unlisted)`
]
