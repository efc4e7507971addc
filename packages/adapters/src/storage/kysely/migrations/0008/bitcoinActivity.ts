/** Tables of watched Bitcoin addresses and of their detected transfers. */
export const bitcoinActivity = {
  tables: {
    /** Transactions of registered addresses, until their block is final. */
    bitcoin_sightings: {
      txid: "text not null",
      address: "text not null",
      /** Null while the transaction is unconfirmed. */
      block_height: "integer",
      block_hash: "text",
      confirmations: "integer not null",
      /** JSON; null before the first check. */
      spends: "text",
      seen_at: "integer not null",
      /** Null if only a new block can change the transaction. */
      due_at: "integer",
      version: "integer not null",
      "primary key": "(txid, address)"
    },
    /** All registered addresses, with the range of their history that must still be read. */
    bitcoin_looks: {
      address: "text not null primary key",
      active_at: "integer not null",
      due_at: "integer not null",
      to_height: "integer",
      after_txid: "text",
      read_count: "integer not null",
      version: "integer not null"
    }
  },
  indices: [
    "create index bitcoin_sightings_due on bitcoin_sightings (due_at) where due_at is not null",
    "create index bitcoin_sightings_grown on bitcoin_sightings ((block_height + confirmations)) where block_height is not null and due_at is null",
    "create index bitcoin_sightings_by_block on bitcoin_sightings (block_height) where block_height is not null",
    "create index bitcoin_looks_due on bitcoin_looks (due_at)"
  ]
} as const

/**
 * Adds addresses that were registered before. Smart wallets are excluded by their prefix, which no Bitcoin address has.
 */
export const bitcoinLooksOfWallets = `
  insert into bitcoin_looks (address, active_at, due_at, to_height, read_count, version)
  select address, max(registered_at), 0, 0, 0, 0 from wallets where address < '0x' or address >= '0y' group by address`
