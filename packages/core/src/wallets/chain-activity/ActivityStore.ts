import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Movement } from "../../accounting/history/index.ts"
import type { ChainId, EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { DetectedTransfer, WatchProgress } from "./Activity.ts"

export interface WatchedChain<C extends ChainId = ChainId> {
  readonly chainId: C
  /** Null until the first progress is stored. */
  readonly progress: WatchProgress | null
  /** Changes with each claim. */
  readonly version: number
}

/**
 * WAITING: the history does not contain it yet. RECORDED: the history contains it, and a reorg may still remove its
 * block. GONE: a reorg removed its block, and no other block includes it yet.
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

/** The unread blocks of a new wallet's past on one chain. `next` is null until the first progress is stored. */
export interface Backfill {
  readonly address: Address
  readonly next: number | null
  readonly to: number | null
}

/** The pending work of a chain's watcher, in addition to reading new blocks. */
export interface StoredActivity {
  /** Whether the earlier blocks of any wallet have not been read completely. */
  readonly hasBackfills: boolean
  /** The time when the next waiting transfer is due. Null if no transfer is waiting. */
  readonly nextDue: DateTime.Utc | null
  /** The lowest block with a transfer that is not waiting. Null if there is none. */
  readonly firstBlock: number | null
}

/** A movement that an operation or another history entry has recorded, not the chain's watcher. */
export type RecordedFlow = Pick<Movement, "asset" | "direction" | "role" | "amount" | "counterparty">

/** Stores the on-chain transactions that touch registered wallets, and the progress of each chain's watcher. */
export class ActivityStore extends Context.Service<
  ActivityStore,
  {
    /** Starts to watch these chains. Also schedules reads of the earlier blocks of registered wallets. */
    readonly watchChains: (chainIds: ReadonlyArray<ChainId>, now: DateTime.Utc) => Effect.Effect<void>
    /** Claims one of these chains until a deadline: the unclaimed chain that is the longest overdue. */
    readonly claim: <C extends ChainId>(
      chainIds: ReadonlyArray<C>,
      now: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<Option.Option<WatchedChain<C>>>
    /** Stores the progress and extends the claim. Returns false and stores nothing if another worker has the claim. */
    readonly storeProgress: (claimedChain: WatchedChain, progress: WatchProgress) => Effect.Effect<boolean>
    /**
     * Does the same as `storeProgress`, but may store the progress later. If the progress is lost, its blocks are read
     * again.
     */
    readonly advanceWithoutSync: (claimedChain: WatchedChain, progress: WatchProgress) => Effect.Effect<boolean>
    /**
     * Moves the end of the claim, and stores the progress if it is not null. Returns false and stores nothing if
     * another worker has the claim.
     */
    readonly moveClaim: (
      claimedChain: WatchedChain,
      until: DateTime.Utc,
      progress: WatchProgress | null
    ) => Effect.Effect<boolean>
    readonly readActivity: (chainId: ChainId) => Effect.Effect<StoredActivity>
    /** Releases the chain. Does nothing if another worker has the claim. */
    readonly release: (claimedChain: WatchedChain, dueAt: DateTime.Utc) => Effect.Effect<void>
    readonly listChains: Effect.Effect<ReadonlyArray<WatchedChain>>

    /** Returns registered smart wallets without duplicates, at most `limit`. */
    readonly listAddresses: (limit: number) => Effect.Effect<ReadonlyArray<Address>>
    /** Returns the addresses of this list that are registered smart wallets. */
    readonly findRegistered: (addresses: Iterable<Address>) => Effect.Effect<ReadonlySet<Address>>

    /** Stores detected transfers as WAITING, regardless of their previous state. */
    readonly recordDetected: (
      detectedTransfers: ReadonlyArray<DetectedTransfer>,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Returns due transfers in the state WAITING, the longest overdue first. */
    readonly listDue: (
      chainId: EvmChainId,
      now: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredTransfer>>
    /** Returns the time when the next WAITING transfer is due. Null if no transfer is waiting. */
    readonly nextDueAt: (chainId: EvmChainId) => Effect.Effect<DateTime.Utc | null>
    readonly postpone: (storedTransfer: StoredTransfer, dueAt: DateTime.Utc) => Effect.Effect<void>
    /**
     * Stores a new state and transfer. Returns false and stores nothing if the stored transfer has changed since it was
     * read.
     */
    readonly recordDecision: (
      storedTransfer: StoredTransfer,
      state: DetectedTransferState,
      detectedTransfer: DetectedTransfer
    ) => Effect.Effect<boolean>
    readonly remove: (storedTransfer: StoredTransfer) => Effect.Effect<void>
    /** Returns the stored transfers in this block or a later one. */
    readonly listSince: (chainId: EvmChainId, blockNumber: number) => Effect.Effect<ReadonlyArray<StoredTransfer>>
    /** Returns the stored transfers in this block or an earlier one, except those in the state WAITING. */
    readonly listUntil: (
      chainId: EvmChainId,
      blockNumber: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredTransfer>>
    /**
     * Increases the number of transactions of an address that move only unlisted tokens. Returns the previous number.
     */
    readonly countUnlisted: (address: Address, count: number) => Effect.Effect<number>

    /**
     * Returns backfills that have begun. If there are none, those that have not begun. Those with the same progress are
     * adjacent.
     */
    readonly listBackfills: (chainId: EvmChainId, limit: number) => Effect.Effect<ReadonlyArray<Backfill>>
    /**
     * Moves the progress of backfills forward. Null ends them. All must have the same progress. Does not change a
     * backfill whose progress has changed since it was read: it restarts when another project registers the wallet.
     */
    readonly moveBackfills: (
      chainId: EvmChainId,
      backfills: ReadonlyArray<Backfill>,
      remaining: { readonly next: number; readonly to: number } | null
    ) => Effect.Effect<void>

    /**
     * Returns the account's movements in an on-chain transaction that operations and other history entries of the
     * project have recorded.
     */
    readonly listRecorded: (
      projectId: ProjectId,
      account: WalletAddress,
      chainId: ChainId,
      transactionHash: Hash32
    ) => Effect.Effect<ReadonlyArray<RecordedFlow & { readonly transactionId: string }>>
  }
>()("@countersign/core/chain-activity/ActivityStore") {}
