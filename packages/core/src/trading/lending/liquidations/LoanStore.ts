import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../../foundation/chains/index.ts"
import type { Address, Hash32 } from "../../../foundation/primitives/index.ts"
import type { ProjectId } from "../../../tenancy/projects/index.ts"

/** A project's wallet that has, had or may soon have a loan. */
export interface WatchedLoan {
  readonly projectId: ProjectId
  readonly walletAddress: Address
}

/** A loan that is due for a check of its debt. */
export interface DueLoan extends WatchedLoan {
  readonly chainId: EvmChainId
  readonly checkAt: DateTime.Utc
  /** Whether the last check found no debt. */
  readonly wasFree: boolean
}

export interface RecordedLiquidation {
  readonly projectId: ProjectId
  readonly chainId: EvmChainId
  readonly transactionHash: Hash32
  readonly logIndex: number
  /** The id of the liquidation's transaction in the wallet's history. */
  readonly transactionId: string
  readonly blockNumber: bigint
  readonly blockHash: Hash32
}

/** Stores the watched loans, the last searched block of each chain, and the recorded liquidations. */
export class LoanStore extends Context.Service<
  LoanStore,
  {
    /** Starts to watch a wallet's loans on a chain. The first check of the debt is due at `checkAt`. */
    readonly watch: (loan: WatchedLoan, chainId: EvmChainId, checkAt: DateTime.Utc) => Effect.Effect<void>
    /** Returns the loans that are due for a check, the longest overdue first. */
    readonly listDue: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<DueLoan>>
    /**
     * Stores the result of a check and the time of the next one. Does nothing if `watch` was called for the loan after
     * the check began.
     */
    readonly recordCheck: (loan: DueLoan, checkAt: DateTime.Utc, isDebtFree: boolean) => Effect.Effect<void>
    /**
     * Stops watching a loan. Does nothing if `watch` was called for the loan after the check began. Removing the last
     * loan of a chain also removes the chain's cursor, so the search for its next loan starts at the latest blocks.
     */
    readonly unwatch: (loan: DueLoan) => Effect.Effect<void>
    /**
     * Returns the watched wallets of a chain with addresses after this one, sorted by address, then project. At most
     * `limit` addresses.
     */
    readonly listWatched: (
      chainId: EvmChainId,
      after: Address | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WatchedLoan>>
    /** Returns the last searched block of a chain. Null before the first search. */
    readonly findCursor: (chainId: EvmChainId) => Effect.Effect<bigint | null>
    /** Sets the last searched block. Does nothing if the stored block is higher. */
    readonly moveCursor: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<void>
    /** Records a liquidation. Returns false if it is already recorded. */
    readonly record: (liquidation: RecordedLiquidation) => Effect.Effect<boolean>
    /** Returns the liquidations recorded in this block or later ones, which a reorg may still remove. */
    readonly listSince: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<ReadonlyArray<RecordedLiquidation>>
    /**
     * Deletes the record of a liquidation whose block a reorg removed. Returns false if another process has deleted it,
     * even if the liquidation has been recorded again since.
     */
    readonly remove: (liquidation: RecordedLiquidation) => Effect.Effect<boolean>
    /**
     * Deletes the records of liquidations before this block, which is not checked again. The transactions in the
     * history remain.
     */
    readonly deleteBefore: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<void>
  }
>()("@countersign/core/lending/LoanStore") {}
