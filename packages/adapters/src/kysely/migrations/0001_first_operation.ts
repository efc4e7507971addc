import type { Migration } from "./Migration.ts"

/** All that a wallet's first operation needs: its project and key, its registration, the operation, its history. */
export const firstOperation: Migration = {
  name: "0001_first_operation",
  statements: ({ text, integer }) => [
    `create table projects (
      id ${text} primary key,
      organization_id ${text} not null,
      name ${text} not null,
      treasury ${text},
      compute_units ${integer},
      created_at ${integer} not null
    )`,
    `create index projects_oldest on projects (created_at, id)`,

    `create table api_keys (
      id ${text} primary key,
      project_id ${text} not null references projects (id),
      name ${text} not null,
      environment ${text} not null,
      hash ${text} not null,
      scopes ${text} not null,
      created_at ${integer} not null,
      expires_at ${integer},
      revoked_at ${integer},
      last_used_at ${integer}
    )`,
    `create index api_keys_oldest on api_keys (project_id, created_at, id)`,

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

    `create table wallet_deployments (
      address ${text} not null,
      chain_id ${integer} not null,
      primary key (address, chain_id)
    )`,

    `create table user_operations (
      hash ${text} primary key,
      project_id ${text} not null,
      wallet_address ${text} not null,
      record ${text} not null,
      submission ${text},
      submitted_at ${integer},
      due_at ${integer},
      claimed_by ${text},
      claimed_until ${integer},
      settled_at ${integer}
    )`,
    // What is prepared and never signed, and what is settled, stands in neither: both stay as small as the work at hand.
    `create index user_operations_due on user_operations (due_at, hash) where due_at is not null`,
    `create index user_operations_unsettled on user_operations (submitted_at, hash) where due_at is not null`,

    `create table transactions (
      project_id ${text} not null,
      id ${text} not null,
      wallet_address ${text} not null,
      type ${text} not null,
      status ${text} not null,
      chain_id_in ${integer} not null,
      chain_id_out ${integer} not null,
      user_operation_hash ${text},
      transaction_hash ${text},
      nft_number ${text},
      created_at ${integer} not null,
      record ${text} not null,
      primary key (project_id, id)
    )`,
    // Each ends in the order of the list, so that a page is read and nothing is sorted.
    `create index transactions_newest on transactions (project_id, wallet_address, created_at desc, id desc)`,
    `create index transactions_user_operation
      on transactions (project_id, wallet_address, user_operation_hash, created_at desc, id desc)
      where user_operation_hash is not null`,
    `create index transactions_hash
      on transactions (project_id, wallet_address, transaction_hash, created_at desc, id desc)
      where transaction_hash is not null`,
    `create index transactions_nft
      on transactions (project_id, wallet_address, nft_number, created_at desc, id desc)
      where nft_number is not null`,

    `create table transaction_metadata (
      project_id ${text} not null,
      transaction_id ${text} not null,
      entry ${text} not null,
      primary key (project_id, transaction_id, entry),
      foreign key (project_id, transaction_id) references transactions (project_id, id) on delete cascade
    )`,
    `create index transaction_metadata_entry on transaction_metadata (project_id, entry, transaction_id)`
  ]
}
