import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Movement } from "../../accounting/history/index.ts"
import type { ChainId, EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { DetectedTransfer, WatchProgress } from "./Activity.ts"

export interface WatchedChain<C extends ChainId = ChainId> {
  readonly chainId: C
  /** Null before the first step. */
  readonly progress: WatchProgress | null
  /** Changes with each claim. */
  readonly version: number
}

/**
 * WAITING: not in the history yet. RECORDED: in the history, and a reorg may still remove its block. GONE: its block
 * was reorganized, and no other block includes it yet.
 */
export type DetectedTransferState = "WAITING" | "RECORDED" | "GONE"

/** A stored detected transfer. */
export interface StoredTransfer {
  readonly detectedTransfer: DetectedTransfer
  readonly state: DetectedTransferState
  readonly seenAt: DateTime.Utc
  /** Changes with each update. */
  readonly version: number
}

/** The past of a new wallet that is still to be read on a chain; progress is null before the first step. */
export interface Backfill {
  readonly address: Address
  readonly next: number | null
  readonly to: number | null
}

/** What a chain's watcher has to do besides reading new blocks. */
export interface StoredActivity {
  /** Whether the past of a wallet is still to be read. */
  readonly hasBackfills: boolean
  /** When the next waiting transfer is due; null if none waits. */
  readonly nextDue: DateTime.Utc | null
  /** The lowest block with a transfer that does not wait; null if there is none. */
  readonly firstBlock: number | null
}

/** A recorded movement that was not detected by the watcher of the chain. */
export type RecordedFlow = Pick<Movement, "asset" | "direction" | "role" | "amount" | "counterparty">

/** Stores the on-chain transactions that touch registered wallets, and how far each chain has been read. */
export class ActivityStore extends Context.Service<
  ActivityStore,
  {
    /** Starts to watch these chains. The past of wallets that were registered before is read too. */
    readonly follow: (chainIds: ReadonlyArray<ChainId>, now: DateTime.Utc) => Effect.Effect<void>
    /** Claims the chain among these that has been due longest and that no worker has claimed, until a deadline. */
    readonly claim: <C extends ChainId>(
      chainIds: ReadonlyArray<C>,
      now: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<Option.Option<WatchedChain<C>>>
    /**
     * Stores the progress and extends the claim. Returns false and stores nothing if another worker has claimed the
     * chain since.
     */
    readonly advance: (claimed: WatchedChain, progress: WatchProgress) => Effect.Effect<boolean>
    /** As `advance`, for progress over blocks that are read again if it is lost. */
    readonly note: (claimed: WatchedChain, progress: WatchProgress) => Effect.Effect<boolean>
    /**
     * Moves the end of the claim, and stores progress if there is any. Returns false, and stores nothing, if another worker has claimed
     * the chain since.
     */
    readonly hold: (
      claimed: WatchedChain,
      until: DateTime.Utc,
      progress: WatchProgress | null
    ) => Effect.Effect<boolean>
    readonly activity: (chainId: ChainId) => Effect.Effect<StoredActivity>
    /** Releases the chain. Does nothing if another worker has claimed it since. */
    readonly giveBack: (claimed: WatchedChain, dueAt: DateTime.Utc) => Effect.Effect<void>
    readonly chains: Effect.Effect<ReadonlyArray<WatchedChain>>

    /** At most this many registered smart wallets, each once. */
    readonly some: (limit: number) => Effect.Effect<ReadonlyArray<Address>>
    /** Which of these are registered smart wallets. */
    readonly registered: (addresses: Iterable<Address>) => Effect.Effect<ReadonlySet<Address>>

    /** Stores detected transfers as WAITING, whatever their previous state was. */
    readonly see: (detectedTransfers: ReadonlyArray<DetectedTransfer>, now: DateTime.Utc) => Effect.Effect<void>
    /** WAITING transfers that are due, those with the longest wait first. */
    readonly due: (
      chainId: EvmChainId,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredTransfer>>
    /** When the next one is due; null if none waits. */
    readonly nextDue: (chainId: EvmChainId) => Effect.Effect<DateTime.Utc | null>
    readonly later: (storedTransfer: StoredTransfer, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Changes the state and the detected transfer. Returns false and stores nothing if it has changed since. */
    readonly decide: (
      storedTransfer: StoredTransfer,
      state: DetectedTransferState,
      detectedTransfer: DetectedTransfer
    ) => Effect.Effect<boolean>
    readonly forget: (storedTransfer: StoredTransfer) => Effect.Effect<void>
    /** Those in this block or a later one. */
    readonly since: (chainId: EvmChainId, blockNumber: number) => Effect.Effect<ReadonlyArray<StoredTransfer>>
    /** Those in this block or an earlier one that are not WAITING. */
    readonly until: (
      chainId: EvmChainId,
      blockNumber: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredTransfer>>
    /** Adds to the count of an address's transactions that move unlisted tokens only. Returns the count before. */
    readonly countUnlisted: (address: Address, count: number) => Effect.Effect<number>

    /** Backfills that have begun come first; those with the same progress are adjacent. */
    readonly backfills: (chainId: EvmChainId, limit: number) => Effect.Effect<ReadonlyArray<Backfill>>
    /** Moves backfills forward; null ends them. */
    readonly moveBackfills: (
      chainId: EvmChainId,
      addresses: ReadonlyArray<Address>,
      remaining: { readonly next: number; readonly to: number } | null
    ) => Effect.Effect<void>

    /**
     * The account's movements in that on-chain transaction, as recorded by the project's operations and other
     * transactions.
     */
    readonly recorded: (
      projectId: ProjectId,
      account: WalletAddress,
      chainId: ChainId,
      transactionHash: Hash32
    ) => Effect.Effect<ReadonlyArray<RecordedFlow & { readonly transactionId: string }>>
  }
>()("@countersign/core/chain-activity/ActivityStore") {}
