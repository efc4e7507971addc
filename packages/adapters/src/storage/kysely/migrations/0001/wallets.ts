/** Registered wallets, and the unpaid gas of wallets, owners and projects. */
export const wallets = {
  tables: {
    wallets: {
      project_id: "text not null",
      address: "text not null",
      /** A smart account; the JSON text `null` for a Bitcoin address. */
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
      /** Its cause and its operation. */
      id: "text not null",
      wallet_address: "text not null",
      owner: "text not null",
      chain_id: "integer not null",
      /** Its wei in two parts, so that a database can sum it exactly: whole gwei and the rest. */
      gwei: "integer not null",
      rest_wei: "integer not null",
      /** Millionths of a US dollar; null if the price was unknown. */
      usd_e6: "integer",
      cause: "text not null",
      user_operation_hash: "text",
      at: "integer not null",
      forgiven_at: "integer",
      /** The last turn of the throttled wallet or owner, and its operation. */
      turn_at: "integer",
      turn_of: "text",
      "primary key": "(project_id, id)"
    }
  },
  indices: [
    "create index wallets_oldest on wallets (project_id, registered_at, address)",
    // A deployed account is searched in every project that registered it.
    "create index wallets_address on wallets (address, registered_at)",
    "create index losses_of_project on losses (project_id, at)",
    "create index losses_of_owner on losses (owner, project_id, at)",
    "create index losses_of_wallet on losses (wallet_address, project_id)",
    "create index losses_oldest on losses (at, project_id, id)"
  ]
} as const
