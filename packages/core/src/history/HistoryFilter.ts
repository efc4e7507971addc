import type { DateTime } from "effect"
import type { ChainId } from "../chains/index.ts"
import type { Hash32 } from "../primitives/index.ts"
import type { TransactionStatus, TransactionType } from "./Transaction.ts"

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
  readonly metadata?: { readonly key: string; readonly value: string }
  /**
   * The transaction concerns this position NFT. Together with a metadata filter on `positionId` either one suffices,
   * because a rebalance gives a position a new NFT and keeps its positionId.
   */
  readonly nftNumber?: string
}

export const MAX_HISTORY_PAGE = 100
