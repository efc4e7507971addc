import type { ColumnTypes } from "../Migration.ts"

/** Registered wallets, and what wallets, owners and projects have cost without paying. */
export const wallets = ({ integer, text }: ColumnTypes): ReadonlyArray<string> => [
  `create table wallets (
    project_id ${text} not null,
    address ${text} not null,
    account ${text} not null,
    metadata ${text} not null,
    registered_at ${integer} not null,
    last_transaction_at ${integer},
    primary key (project_id, address)
  )`,
  `create index wallets_oldest on wallets (project_id, registered_at, address)`,
  // A deployed account is looked for in every project that registered it.
  `create index wallets_address on wallets (address, registered_at)`,

  `create table wallet_deployments (
    address ${text} not null,
    chain_id ${integer} not null,
    primary key (address, chain_id)
  )`,

  `create table losses (
    project_id ${text} not null,
    id ${text} not null,
    wallet_address ${text} not null,
    owner ${text} not null,
    chain_id ${integer} not null,
    gwei ${integer} not null,
    rest_wei ${integer} not null,
    usd_e6 ${integer},
    cause ${text} not null,
    user_operation_hash ${text},
    at ${integer} not null,
    forgiven_at ${integer},
    turn_at ${integer},
    turn_of ${text},
    primary key (project_id, id)
  )`,
  `create index losses_of_project on losses (project_id, at)`,
  `create index losses_of_owner on losses (owner, project_id, at)`,
  `create index losses_of_wallet on losses (wallet_address, project_id)`,
  `create index losses_oldest on losses (at, project_id, id)`
]
