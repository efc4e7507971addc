import type { Dialect } from "../Migration.ts"

/** The tables whose rows workers claim, update and return again and again. */
const CLAIMED = ["executions", "webhook_deliveries", "watched_chains", "indexed_pools", "operator_lanes"] as const

/**
 * Lets Postgres update a claimed row on its page without changes to the indexes (HOT): each page keeps space for the next version,
 * and no index has the column of the lease. The two tables without an index now have a few rows for each chain.
 */
export const hotUpdates = (dialect: Dialect): ReadonlyArray<string> => [
  "drop index watched_chains_claimed",
  "drop index operator_lanes_claimed",
  ...(dialect === "postgres" ? CLAIMED.map((table) => `alter table ${table} set (fillfactor = 50)`) : [])
]
