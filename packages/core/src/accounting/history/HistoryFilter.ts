import type { DateTime } from "effect"
import type { ChainId } from "../../foundation/chains/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { TransactionStatus, TransactionType } from "./Transaction.ts"

export interface MetadataPair {
  readonly key: string
  readonly value: string
}

/** Selects transactions of a wallet. An absent or empty condition matches everything. All conditions must match. */
export interface HistoryFilter {
  readonly types?: ReadonlyArray<TransactionType>
  readonly statuses?: ReadonlyArray<TransactionStatus>
  readonly userOperationHash?: Hash32
  readonly transactionHash?: Hash32
  /** The source or destination chain is in this list. */
  readonly chains?: ReadonlyArray<ChainId>
  readonly chainIdIn?: ChainId
  readonly chainIdOut?: ChainId
  readonly createdAtLatest?: DateTime.Utc
  readonly createdAtOldest?: DateTime.Utc
  readonly metadata?: MetadataPair
  /** Matches this subject. If a metadata pair is given, it also matches transactions that have this pair. */
  readonly subject?: { readonly id: string; readonly orMetadata: MetadataPair | null }
  /** Includes transactions of unlisted tokens, which are omitted by default. */
  readonly includeUnlisted?: boolean
}

export const MAX_HISTORY_PAGE = 100
