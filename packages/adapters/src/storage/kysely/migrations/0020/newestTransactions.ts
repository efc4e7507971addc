/** The order of a page, with all that a page is filtered by: what a filter leaves out is told by the index alone. */
export const newestTransactions: ReadonlyArray<string> = [
  "drop index transactions_newest",
  `create index transactions_newest on transactions
    (project_id, wallet_address, created_at desc, id desc, type, status, chain_id_in, chain_id_out, unlisted)`
]
