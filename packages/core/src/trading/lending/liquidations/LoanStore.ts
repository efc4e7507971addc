import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../../foundation/chains/index.ts"
import type { Address, Hash32 } from "../../../foundation/primitives/index.ts"
import type { ProjectId } from "../../../tenancy/projects/index.ts"

/** A wallet of a project that has, had or may get a loan. */
export interface WatchedLoan {
  readonly projectId: ProjectId
  readonly walletAddress: Address
}

/** A loan whose debt is due for a check. */
export interface DueLoan extends WatchedLoan {
  readonly chainId: EvmChainId
  readonly lookAt: DateTime.Utc
  /** Whether there was no debt at the last check. */
  readonly wasFree: boolean
}

/** A recorded liquidation. */
export interface RecordedLiquidation {
  readonly projectId: ProjectId
  readonly chainId: EvmChainId
  readonly transactionHash: Hash32
  readonly logIndex: number
  /** The id of its transaction in the history. */
  readonly transactionId: string
  readonly blockNumber: bigint
  readonly blockHash: Hash32
}

/** Stores the watched loans, the last searched blocks, and the recorded liquidations. */
export class LoanStore extends Context.Service<
  LoanStore,
  {
    /** Watches a wallet's loans on a chain. Without a debt it is watched until the next checks. */
    readonly watch: (loan: WatchedLoan, chainId: EvmChainId, lookAt: DateTime.Utc) => Effect.Effect<void>
    /** Loans that are due for a check, those with the longest wait first. */
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<DueLoan>>
    /**
     * Stores the result of a check, and when the next one is due. Does nothing if the loan was watched again meanwhile.
     */
    readonly lookAgain: (loan: DueLoan, lookAt: DateTime.Utc, isFree: boolean) => Effect.Effect<void>
    /**
     * Stops watching a loan. Does nothing if it was watched again meanwhile. The last loan of a chain also removes the
     * cursor: the next loan there begins after the blocks in between.
     */
    readonly unwatch: (loan: DueLoan) => Effect.Effect<void>
    /** Watched wallets of a chain after this address, sorted by address, then project; at most `limit` addresses. */
    readonly watched: (
      chainId: EvmChainId,
      after: Address | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WatchedLoan>>
    /** The last searched block; null before the first search. */
    readonly cursor: (chainId: EvmChainId) => Effect.Effect<bigint | null>
    /** Moves it forward, never back. */
    readonly moveCursor: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<void>
    /** Returns false if any process has recorded it already. */
    readonly record: (liquidation: RecordedLiquidation) => Effect.Effect<boolean>
    /** Liquidations in this block or a later one, which a reorg may still remove. */
    readonly recordedSince: (
      chainId: EvmChainId,
      blockNumber: bigint
    ) => Effect.Effect<ReadonlyArray<RecordedLiquidation>>
    /** Removes a liquidation whose block was reorganized. */
    readonly forget: (liquidation: RecordedLiquidation) => Effect.Effect<void>
    /** Removes the records of liquidations before this block, which are not checked again. Their transactions stay. */
    readonly forgetBefore: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<void>
  }
>()("@countersign/core/lending/LoanStore") {}
