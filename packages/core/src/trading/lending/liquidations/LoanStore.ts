import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../../foundation/chains/index.ts"
import type { Address, Hash32 } from "../../../foundation/primitives/index.ts"
import type { ProjectId } from "../../../tenancy/projects/index.ts"

/** A wallet of a project that has, had or may have a loan. */
export interface WatchedLoan {
  readonly projectId: ProjectId
  readonly walletAddress: Address
}

/** One whose debt is to be looked at. */
export interface DueLoan extends WatchedLoan {
  readonly chainId: EvmChainId
  readonly lookAt: DateTime.Utc
  /** Whether there was no debt at the last look. */
  readonly wasFree: boolean
}

/** A liquidation that is in a wallet's history. */
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

/** The loans that are watched for liquidations, the blocks that were searched, and the liquidations found. */
export class LoanStore extends Context.Service<
  LoanStore,
  {
    /** Watches a wallet's loans on a chain from now on, whether it owes anything or not until it is looked at. */
    readonly watch: (loan: WatchedLoan, chainId: EvmChainId, lookAt: DateTime.Utc) => Effect.Effect<void>
    /** Loans that are due for a look, the longest due first. */
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<DueLoan>>
    /** Says what a look found, and when the next one is. Nothing where the loan was watched anew meanwhile. */
    readonly lookAgain: (loan: DueLoan, lookAt: DateTime.Utc, isFree: boolean) => Effect.Effect<void>
    /**
     * Watches it no longer. Nothing where it was watched anew meanwhile. A chain's last one takes the cursor along: the next
     * loan there is younger than the blocks between.
     */
    readonly unwatch: (loan: DueLoan) => Effect.Effect<void>
    /** Watched wallets of a chain in the order of their address, then project, after this address; at most `limit` addresses. */
    readonly watched: (
      chainId: EvmChainId,
      after: Address | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WatchedLoan>>
    /** The last block that was looked at; null before the first. */
    readonly cursor: (chainId: EvmChainId) => Effect.Effect<bigint | null>
    /** Moves it forward, never back. */
    readonly moveCursor: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<void>
    /** False where it is recorded already, by whichever process. */
    readonly record: (liquidation: RecordedLiquidation) => Effect.Effect<boolean>
    /** Liquidations in this block or a later one: their block may still go away. */
    readonly recordedSince: (
      chainId: EvmChainId,
      blockNumber: bigint
    ) => Effect.Effect<ReadonlyArray<RecordedLiquidation>>
    /** Its block is gone. */
    readonly forget: (liquidation: RecordedLiquidation) => Effect.Effect<void>
    /** Forgets liquidations of blocks before this one: they are not looked at again. Their transactions stay. */
    readonly forgetBefore: (chainId: EvmChainId, blockNumber: bigint) => Effect.Effect<void>
  }
>()("@countersign/core/lending/LoanStore") {}
