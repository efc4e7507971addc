import type { DateTime } from "effect"
import type { ChainId } from "../../foundation/chains/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { TransactionStatus, TransactionType } from "./Transaction.ts"

export interface MetadataPair {
  readonly key: string
  readonly value: string
}

/** Selects transactions of a wallet. Absent or empty means "any"; all that are given must hold. */
export interface HistoryFilter {
  readonly types?: ReadonlyArray<TransactionType>
  readonly statuses?: ReadonlyArray<TransactionStatus>
  readonly userOperationHash?: Hash32
  readonly transactionHash?: Hash32
  /** Either end of the transaction is on one of these chains. */
  readonly chains?: ReadonlyArray<ChainId>
  readonly chainIdIn?: ChainId
  readonly chainIdOut?: ChainId
  readonly createdAtLatest?: DateTime.Utc
  readonly createdAtOldest?: DateTime.Utc
  readonly metadata?: MetadataPair
  /** The transaction is about this subject, or has this pair in its metadata where one is given. */
  readonly subject?: { readonly id: string; readonly orMetadata: MetadataPair | null }
  /** Also transactions of tokens that are not listed, which are left out otherwise. */
  readonly includeUnlisted?: boolean
}

export const MAX_HISTORY_PAGE = 100
