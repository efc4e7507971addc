import type { ColumnTypes } from "../Migration.ts"

/** Tables of the chains that are watched for transfers of registered wallets, and of the detected transfers. */
export const chainActivity = {
  tables: {
    watched_chains: {
      chain_id: "integer not null primary key",
      due_at: "integer not null",
      claimed_until: "integer",
      version: "integer not null",
      /** JSON; null until the first progress is stored. */
      progress: "text"
    },
    /** Transactions of registered wallets, until their block is final. */
    sightings: {
      chain_id: "integer not null",
      transaction_hash: "text not null",
      address: "text not null",
      block_number: "integer not null",
      block_hash: "text not null",
      /** JSON: native token transfers. */
      coin: "text not null",
      state: "text not null",
      seen_at: "integer not null",
      /** Null once the transaction is no longer pending. */
      due_at: "integer",
      version: "integer not null",
      "primary key": "(chain_id, transaction_hash, address)"
    },
    /** Past blocks that must still be read for new wallets. */
    wallet_backfills: {
      chain_id: "integer not null",
      address: "text not null",
      /** Null until the first progress is stored. */
      next_block: "integer",
      to_block: "integer",
      "primary key": "(chain_id, address)"
    },
    /** Number of transactions of unlisted tokens for each wallet. */
    unlisted_counts: {
      address: "text not null primary key",
      transactions: "integer not null"
    }
  },
  indices: [
    "create index watched_chains_due on watched_chains (due_at)",
    "create index watched_chains_claimed on watched_chains (claimed_until) where claimed_until is not null",
    "create index sightings_due on sightings (chain_id, due_at) where due_at is not null",
    "create index sightings_by_block on sightings (chain_id, block_number)",
    "create index wallet_backfills_next on wallet_backfills (chain_id, next_block, to_block, address)"
  ]
} as const

/** Adds a column that is 1 for a transaction of an unlisted token. */
export const unlistedTransactions = ({ integer }: ColumnTypes): string =>
  `alter table transactions add column unlisted ${integer} not null default 0`
