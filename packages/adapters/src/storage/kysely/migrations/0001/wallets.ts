/** Tables of registered wallets, and of the unpaid gas of wallets, owners and projects. */
export const wallets = {
  tables: {
    wallets: {
      project_id: "text not null",
      address: "text not null",
      /** JSON of a smart account; the text `null` for a Bitcoin address. */
      account: "text not null",
      metadata: "text not null",
      registered_at: "integer not null",
      last_transaction_at: "integer",
      "primary key": "(project_id, address)"
    },
    wallet_deployments: {
      address: "text not null",
      chain_id: "integer not null",
      "primary key": "(address, chain_id)"
    },
    /** Unpaid gas. */
    losses: {
      project_id: "text not null",
      /** Cause and operation of the unpaid gas. */
      id: "text not null",
      wallet_address: "text not null",
      owner: "text not null",
      chain_id: "integer not null",
      /** The amount in two columns, so that a database can sum it exactly: full gwei and the remaining wei. */
      gwei: "integer not null",
      rest_wei: "integer not null",
      /** In millionths of a US dollar; null if the price was unknown. */
      usd_e6: "integer",
      cause: "text not null",
      user_operation_hash: "text",
      at: "integer not null",
      forgiven_at: "integer",
      /** Time of the last turn of the throttled wallet or owner, and the operation that had this turn. */
      turn_at: "integer",
      turn_of: "text",
      "primary key": "(project_id, id)"
    }
  },
  indices: [
    "create index wallets_oldest on wallets (project_id, registered_at, address)",
    // Finds a deployed account in every project that registered it.
    "create index wallets_address on wallets (address, registered_at)",
    "create index losses_of_project on losses (project_id, at)",
    "create index losses_of_owner on losses (owner, project_id, at)",
    "create index losses_of_wallet on losses (wallet_address, project_id)",
    "create index losses_oldest on losses (at, project_id, id)"
  ]
} as const
