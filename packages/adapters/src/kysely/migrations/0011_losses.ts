import type { Migration } from "./Migration.ts"

/** What wallets, owners and projects have cost without paying. */
export const losses: Migration = {
  name: "0011_losses",
  statements: ({ text, integer }) => [
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
}
