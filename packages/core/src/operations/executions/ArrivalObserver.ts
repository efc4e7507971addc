import { Context, Effect } from "effect"
import type { BlockRef, Transaction } from "../../accounting/history/index.ts"
import type { ChainId } from "../../foundation/chains/index.ts"
import type { Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import { isToken } from "../../foundation/tokens/index.ts"

/** An account's token transfers in a transaction that the wallet did not send, such as a bridge's fill. */
export interface RecordedTransfers {
  readonly chainId: ChainId
  readonly hash: Hash32
  readonly block: BlockRef
  readonly account: WalletAddress
}

const keyOf = ({ account, chainId, hash }: RecordedTransfers): string => `${chainId} ${hash} ${account}`

const recordedTransfersOf = ({ legs, movements }: Transaction): ReadonlyMap<string, RecordedTransfers> =>
  new Map(
    movements.flatMap(({ account, asset, leg }) => {
      const { block = null, hash = null } = leg === null ? {} : (legs[leg] ?? {})
      if (!isToken(asset) || block === null || hash === null) return []
      const recordedTransfers = { chainId: asset.chainId, hash, block, account }
      return [[keyOf(recordedTransfers), recordedTransfers] as const]
    })
  )

/** Returns the transfers that `after` records and `before` does not. */
export const newlyRecordedTransfers = (before: Transaction, after: Transaction): ReadonlyArray<RecordedTransfers> => {
  const earlierTransfers = recordedTransfersOf(before)
  return [...recordedTransfersOf(after)].flatMap(([key, recordedTransfers]) =>
    earlierTransfers.has(key) ? [] : [recordedTransfers]
  )
}

/**
 * Called with the transfers that a stage without an intent records, in the same unit of work. The chain watcher may
 * have recorded them earlier as an external deposit.
 */
export const ArrivalObserver = Context.Reference<(transfers: ReadonlyArray<RecordedTransfers>) => Effect.Effect<void>>(
  "@countersign/core/executions/ArrivalObserver",
  { defaultValue: () => () => Effect.void }
)
