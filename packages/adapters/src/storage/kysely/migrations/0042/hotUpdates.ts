import type { Dialect } from "../Migration.ts"

/** Tables whose rows workers claim, update and release repeatedly. */
const CLAIMED_TABLES = [
  "executions",
  "webhook_deliveries",
  "watched_chains",
  "indexed_pools",
  "operator_lanes"
] as const

/**
 * Enables heap-only tuple updates (HOT) of claimed rows on Postgres, which change no index. Each page keeps free space
 * for the next version of a row, and no index contains the lease column. The two tables that lose an index have only a
 * few rows for each chain.
 */
export const hotUpdates = (dialect: Dialect): ReadonlyArray<string> => [
  "drop index watched_chains_claimed",
  "drop index operator_lanes_claimed",
  ...(dialect === "postgres" ? CLAIMED_TABLES.map((table) => `alter table ${table} set (fillfactor = 50)`) : [])
]
