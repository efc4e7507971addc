import type { ColumnTypes } from "../Migration.ts"

/** The transactions of wallets, and what they are found by. */
export const history = ({ integer, text }: ColumnTypes): ReadonlyArray<string> => [
  `create table transactions (
    project_id ${text} not null,
    id ${text} not null,
    wallet_address ${text} not null,
    type ${text} not null,
    status ${text} not null,
    chain_id_in ${integer},
    chain_id_out ${integer},
    user_operation_hash ${text},
    subject ${text},
    created_at ${integer} not null,
    record ${text} not null,
    primary key (project_id, id)
  )`,
  // Each ends in the order of the list, so that a page is read and nothing is sorted.
  `create index transactions_newest on transactions (project_id, wallet_address, created_at desc, id desc)`,
  `create index transactions_user_operation
    on transactions (project_id, wallet_address, user_operation_hash, created_at desc, id desc)
    where user_operation_hash is not null`,
  `create index transactions_subject
    on transactions (project_id, wallet_address, subject, created_at desc, id desc)
    where subject is not null`,

  `create table transaction_legs (
    project_id ${text} not null,
    transaction_id ${text} not null,
    position ${integer} not null,
    chain_id ${integer} not null,
    hash ${text} not null,
    primary key (project_id, transaction_id, position),
    foreign key (project_id, transaction_id) references transactions (project_id, id) on delete cascade
  )`,
  `create index transaction_legs_hash on transaction_legs (project_id, hash, transaction_id)`,

  `create table transaction_metadata (
    project_id ${text} not null,
    transaction_id ${text} not null,
    entry ${text} not null,
    primary key (project_id, transaction_id, entry),
    foreign key (project_id, transaction_id) references transactions (project_id, id) on delete cascade
  )`,
  `create index transaction_metadata_entry on transaction_metadata (project_id, entry, transaction_id)`
]
