import type { DateTime } from "effect"
import type { ChainId } from "../../foundation/chains/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { TransactionStatus, TransactionType } from "./Transaction.ts"

export interface MetadataPair {
  readonly key: string
  readonly value: string
}

/** Conditions for a wallet's transactions. All given conditions must match. An empty list is no condition. */
export interface HistoryFilter {
  readonly types?: ReadonlyArray<TransactionType>
  readonly statuses?: ReadonlyArray<TransactionStatus>
  readonly userOperationHash?: Hash32
  readonly transactionHash?: Hash32
  /** The source or the destination chain must be in this list. */
  readonly chains?: ReadonlyArray<ChainId>
  readonly chainIdIn?: ChainId
  readonly chainIdOut?: ChainId
  readonly createdAtLatest?: DateTime.Utc
  readonly createdAtOldest?: DateTime.Utc
  readonly metadata?: MetadataPair
  /**
   * Matches transactions with this subject id. If a metadata pair is given, also matches transactions with this pair.
   */
  readonly subject?: { readonly id: string; readonly orMetadata: MetadataPair | null }
  /** Whether to include transactions of unlisted tokens. They are omitted by default. */
  readonly includeUnlisted?: boolean
}

export const MAX_HISTORY_PAGE = 100
