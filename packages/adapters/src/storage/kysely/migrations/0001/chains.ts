/** Tables with data about chains: watched loans and their liquidations, and indexed pools. */
export const chains = {
  tables: {
    watched_loans: {
      chain_id: "integer not null",
      wallet_address: "text not null",
      project_id: "text not null",
      look_at: "integer not null",
      was_free: "integer not null",
      "primary key": "(chain_id, wallet_address, project_id)"
    },
    loan_cursors: {
      chain_id: "integer not null primary key",
      block_number: "integer not null"
    },
    liquidations: {
      chain_id: "integer not null",
      transaction_hash: "text not null",
      log_index: "integer not null",
      project_id: "text not null",
      transaction_id: "text not null",
      block_number: "integer not null",
      block_hash: "text not null",
      "primary key": "(chain_id, transaction_hash, log_index, project_id)"
    },
    /** Pools whose events are indexed. */
    indexed_pools: {
      chain_id: "integer not null",
      address: "text not null",
      token0: "text not null",
      token1: "text not null",
      fee_pips: "integer not null",
      asked_at: "integer not null",
      due_at: "integer not null",
      claimed_until: "integer",
      version: "integer not null",
      /** JSON; null until the first progress is stored. */
      progress: "text",
      "primary key": "(chain_id, address)"
    },
    /** Sums per pool and hour, in base units as decimal digits. */
    pool_hours: {
      chain_id: "integer not null",
      address: "text not null",
      hour: "integer not null",
      /** 1 for sums of blocks that may still be reorganized, 0 for sums of final blocks. */
      recent: "integer not null",
      transactions: "integer not null",
      volume0: "text not null",
      volume1: "text not null",
      fees0: "text not null",
      fees1: "text not null",
      "primary key": "(chain_id, address, hour, recent)"
    }
  },
  indices: [
    "create index watched_loans_by_look on watched_loans (look_at)",
    "create index liquidations_by_block on liquidations (chain_id, block_number)",
    "create index indexed_pools_due on indexed_pools (due_at)",
    "create index indexed_pools_claimed on indexed_pools (claimed_until) where claimed_until is not null",
    "create index indexed_pools_asked on indexed_pools (asked_at)"
  ]
} as const
