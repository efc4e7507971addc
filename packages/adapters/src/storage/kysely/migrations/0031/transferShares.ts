import { MAX_UINT256 } from "@countersign/core/foundation/primitives"
import type { ColumnTypes } from "../Migration.ts"

/**
 * Adds the amount of a transfer that each operation claims. Claims of earlier versions cover the entire transfer, so
 * nothing of it remains.
 */
export const transferShares = ({ integer, text }: ColumnTypes): ReadonlyArray<string> => [
  "alter table transfer_claims rename to whole_transfer_claims",
  `create table transfer_claims (
    project_id ${text} not null,
    chain_id ${integer} not null,
    hash ${text} not null,
    account ${text} not null,
    transfer_index ${integer} not null,
    transaction_id ${text} not null,
    amount ${text} not null default '${MAX_UINT256}',
    primary key (project_id, chain_id, hash, account, transfer_index, transaction_id))`,
  `insert into transfer_claims (project_id, chain_id, hash, account, transfer_index, transaction_id)
    select project_id, chain_id, hash, account, transfer_index, transaction_id from whole_transfer_claims`,
  "drop table whole_transfer_claims"
]

export interface TransferAmountColumn {
  /** In base units, as decimal digits. */
  amount: string
}
