import type { Migration } from "./Migration.ts"

/** Pools whose events are counted, how far that has come, and the sums of each hour. */
export const poolIndex: Migration = {
  name: "0016_pool_index",
  statements: ({ integer, text }) => [
    `create table indexed_pools (
      chain_id ${integer} not null,
      address ${text} not null,
      token0 ${text} not null,
      token1 ${text} not null,
      fee_pips ${integer} not null,
      asked_at ${integer} not null,
      due_at ${integer} not null,
      claimed_until ${integer} not null,
      version ${integer} not null,
      progress ${text},
      primary key (chain_id, address)
    )`,
    "create index indexed_pools_due on indexed_pools (due_at)",
    "create index indexed_pools_claimed on indexed_pools (claimed_until)",
    "create index indexed_pools_asked on indexed_pools (asked_at)",
    `create table pool_hours (
      chain_id ${integer} not null,
      address ${text} not null,
      hour ${integer} not null,
      recent ${integer} not null,
      transactions ${integer} not null,
      volume0 ${text} not null,
      volume1 ${text} not null,
      fees0 ${text} not null,
      fees1 ${text} not null,
      primary key (chain_id, address, hour, recent)
    )`
  ]
}
