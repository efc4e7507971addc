import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../../foundation/chains/index.ts"
import type { Address, Hash32 } from "../../../foundation/primitives/index.ts"
import type { ProjectId } from "../../../tenancy/projects/index.ts"

/** A wallet of a project that has a loan, had one, or may get one. */
export interface WatchedLoan {
  readonly projectId: ProjectId
  readonly walletAddress: Address
}

/** A loan that is due for a check of its debt. */
export interface DueLoan extends WatchedLoan {
  readonly chainId: EvmChainId
  readonly checkAt: DateTime.Utc
  /** Whether there was no debt at the last check. */
  readonly wasFree: boolean
}

/** A recorded liquidation. */
export interface RecordedLiquidation {
  readonly projectId: ProjectId
  readonly chainId: EvmChainId
  readonly transactionHash: Hash32
  readonly logIndex: number
  /** The id of the liquidation's transaction in the history. */
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
    /** Loans that are due for a check, those with the longest wait first. */
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<DueLoan>>
    /**
     * Stores the result of a check, and the time of the next check. Does nothing if the loan was watched again since
     * the check began.
     */
    readonly recheck: (loan: DueLoan, checkAt: DateTime.Utc, isFree: boolean) => Effect.Effect<void>
    /**
     * Stops watching a loan. Does nothing if the loan was watched again since the check began. With the last loan of a
     * chain, the cursor is also removed: the next loan on this chain begins at the latest blocks.
     */
    readonly unwatch: (loan: DueLoan) => Effect.Effect<void>
    /** Watched wallets of a chain after this address, sorted by address, then project. At most `limit` addresses. */
    readonly watched: (
      chainId: EvmChainId,
      after: Address | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WatchedLoan>>
    /** The last searched block of a chain; null before the first search. */
    readonly cursor: (chainId: EvmChainId) => Effect.Effect<bigint | null>
    /** Sets the last searched block, unless the stored one is higher. */
    readonly moveCursor: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<void>
    /** Returns false if the liquidation is already recorded. */
    readonly record: (liquidation: RecordedLiquidation) => Effect.Effect<boolean>
    /** The recorded liquidations in this block or a later one, which a reorg may still remove. */
    readonly recordedSince: (
      chainId: EvmChainId,
      blockNumber: bigint
    ) => Effect.Effect<ReadonlyArray<RecordedLiquidation>>
    /** Removes a liquidation after a reorg removed its block. */
    readonly forget: (liquidation: RecordedLiquidation) => Effect.Effect<void>
    /** Removes records of liquidations before this block, which is not checked again. Keeps the transactions. */
    readonly forgetBefore: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<void>
  }
>()("@countersign/core/lending/LoanStore") {}
