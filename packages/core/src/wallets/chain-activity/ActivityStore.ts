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
 * WAITING: the history does not have it yet. RECORDED: the history has it, and a reorg may still remove its block.
 * GONE: a reorg removed its block, and no other block includes it yet.
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

/** The part of a new wallet's past on a chain that has not been read yet. `progress` is null before the first step. */
export interface Backfill {
  readonly address: Address
  readonly next: number | null
  readonly to: number | null
}

/** The pending work of a chain's watcher, in addition to reading new blocks. */
export interface StoredActivity {
  /** Whether the past of a wallet has not been read completely. */
  readonly hasBackfills: boolean
  /** When the next waiting transfer is due; null if no transfer is waiting. */
  readonly nextDue: DateTime.Utc | null
  /** The lowest block with a transfer that is not waiting; null if there is no such transfer. */
  readonly firstBlock: number | null
}

/** A recorded movement that the chain's watcher did not detect. */
export type RecordedFlow = Pick<Movement, "asset" | "direction" | "role" | "amount" | "counterparty">

/** Stores the on-chain transactions that touch registered wallets, and the state of each chain's watcher. */
export class ActivityStore extends Context.Service<
  ActivityStore,
  {
    /** Starts to watch these chains. Also schedules reads of the past of wallets that were registered before. */
    readonly follow: (chainIds: ReadonlyArray<ChainId>, now: DateTime.Utc) => Effect.Effect<void>
    /** Claims one of these chains until a deadline: of the unclaimed ones, the chain that has been due longest. */
    readonly claim: <C extends ChainId>(
      chainIds: ReadonlyArray<C>,
      now: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<Option.Option<WatchedChain<C>>>
    /** Stores the progress and extends the claim. Returns false and stores nothing if another worker has the claim. */
    readonly advance: (claimed: WatchedChain, progress: WatchProgress) => Effect.Effect<boolean>
    /** Like `advance`, for progress over blocks that may be read again if the progress is lost. */
    readonly note: (claimed: WatchedChain, progress: WatchProgress) => Effect.Effect<boolean>
    /**
     * Moves the end of the claim, and stores the progress if it is given. Returns false and stores nothing if another
     * worker has the claim.
     */
    readonly hold: (
      claimed: WatchedChain,
      until: DateTime.Utc,
      progress: WatchProgress | null
    ) => Effect.Effect<boolean>
    readonly activity: (chainId: ChainId) => Effect.Effect<StoredActivity>
    /** Releases the chain. Does nothing if another worker has the claim. */
    readonly giveBack: (claimed: WatchedChain, dueAt: DateTime.Utc) => Effect.Effect<void>
    readonly chains: Effect.Effect<ReadonlyArray<WatchedChain>>

    /** Registered smart wallets without duplicates, at most this number. */
    readonly some: (limit: number) => Effect.Effect<ReadonlyArray<Address>>
    /** The subset of these addresses that are registered smart wallets. */
    readonly registered: (addresses: Iterable<Address>) => Effect.Effect<ReadonlySet<Address>>

    /** Stores detected transfers as WAITING, regardless of their previous state. */
    readonly see: (detectedTransfers: ReadonlyArray<DetectedTransfer>, now: DateTime.Utc) => Effect.Effect<void>
    /** Due transfers in state WAITING, those with the longest wait first. */
    readonly due: (
      chainId: EvmChainId,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredTransfer>>
    /** When the next WAITING transfer is due; null if no transfer is waiting. */
    readonly nextDue: (chainId: EvmChainId) => Effect.Effect<DateTime.Utc | null>
    readonly later: (storedTransfer: StoredTransfer, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Changes the state and the transfer. Returns false and stores nothing if it has changed since it was read. */
    readonly decide: (
      storedTransfer: StoredTransfer,
      state: DetectedTransferState,
      detectedTransfer: DetectedTransfer
    ) => Effect.Effect<boolean>
    readonly forget: (storedTransfer: StoredTransfer) => Effect.Effect<void>
    /** The stored transfers in this block or a later one. */
    readonly since: (chainId: EvmChainId, blockNumber: number) => Effect.Effect<ReadonlyArray<StoredTransfer>>
    /** The stored transfers in this block or an earlier one, except for those in state WAITING. */
    readonly until: (
      chainId: EvmChainId,
      blockNumber: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredTransfer>>
    /** Increases an address's number of transactions that move only unlisted tokens. Returns the previous number. */
    readonly countUnlisted: (address: Address, count: number) => Effect.Effect<number>

    /** Backfills that have begun come first. Backfills with the same progress are adjacent. */
    readonly backfills: (chainId: EvmChainId, limit: number) => Effect.Effect<ReadonlyArray<Backfill>>
    /** Moves the progress of backfills forward. Null ends them. */
    readonly moveBackfills: (
      chainId: EvmChainId,
      addresses: ReadonlyArray<Address>,
      remaining: { readonly next: number; readonly to: number } | null
    ) => Effect.Effect<void>

    /**
     * The account's movements in the on-chain transaction that operations and other entries of the project have
     * recorded.
     */
    readonly recorded: (
      projectId: ProjectId,
      account: WalletAddress,
      chainId: ChainId,
      transactionHash: Hash32
    ) => Effect.Effect<ReadonlyArray<RecordedFlow & { readonly transactionId: string }>>
  }
>()("@countersign/core/chain-activity/ActivityStore") {}
