import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Movement } from "../../accounting/history/index.ts"
import type { ChainId, EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Sighting, WatchProgress } from "./Activity.ts"

export interface WatchedChain<C extends ChainId = ChainId> {
  readonly chainId: C
  /** Null before the first step. */
  readonly progress: WatchProgress | null
  /** Another one with each claim. */
  readonly version: number
}

/**
 * WAITING: not in the history yet. RECORDED: it is, and its block may still be replaced. GONE: its block was replaced, and no
 * other has it yet.
 */
export type SightedState = "WAITING" | "RECORDED" | "GONE"

/** A stored sighting. */
export interface Sighted {
  readonly sighting: Sighting
  readonly state: SightedState
  readonly seenAt: DateTime.Utc
  /** Another one with each change. */
  readonly version: number
}

/** The past of a new wallet on a chain that is still to be read: null before it has begun. */
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

/** A movement in the history that was not found by the watch of a chain. */
export type RecordedFlow = Pick<Movement, "asset" | "direction" | "role" | "amount" | "counterparty">

/** What is known of the transactions of chains that touch registered wallets, and how far chains have been read. */
export class ActivityStore extends Context.Service<
  ActivityStore,
  {
    /** Watches these chains from now on. The past of wallets that are registered before is read too. */
    readonly follow: (chainIds: ReadonlyArray<ChainId>, now: DateTime.Utc) => Effect.Effect<void>
    /** Takes the chain among these that has been due for longest and that is not worked on, until others may. */
    readonly claim: <C extends ChainId>(
      chainIds: ReadonlyArray<C>,
      now: DateTime.Utc,
      until: DateTime.Utc
    ) => Effect.Effect<Option.Option<WatchedChain<C>>>
    /** Keeps progress and the claim. False, and nothing stored, where another worker has claimed the chain since. */
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
    /** Gives the chain back. Nothing where another worker has claimed it since. */
    readonly giveBack: (claimed: WatchedChain, dueAt: DateTime.Utc) => Effect.Effect<void>
    readonly chains: Effect.Effect<ReadonlyArray<WatchedChain>>

    /** Registered smart wallets, each once; at most so many. */
    readonly some: (limit: number) => Effect.Effect<ReadonlyArray<Address>>
    /** Which of these are registered smart wallets. */
    readonly registered: (addresses: Iterable<Address>) => Effect.Effect<ReadonlySet<Address>>

    /** Waiting from now on, whatever was known of them. */
    readonly see: (sightings: ReadonlyArray<Sighting>, now: DateTime.Utc) => Effect.Effect<void>
    /** Waiting ones that are due, the longest due first. */
    readonly due: (chainId: EvmChainId, now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<Sighted>>
    /** When the next one is due; null where none waits. */
    readonly nextDue: (chainId: EvmChainId) => Effect.Effect<DateTime.Utc | null>
    readonly later: (sighted: Sighted, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Changes state and sighting. False, and nothing stored, where it has changed since. */
    readonly decide: (sighted: Sighted, state: SightedState, sighting: Sighting) => Effect.Effect<boolean>
    readonly forget: (sighted: Sighted) => Effect.Effect<void>
    /** Those in this block or a later one. */
    readonly since: (chainId: EvmChainId, blockNumber: number) => Effect.Effect<ReadonlyArray<Sighted>>
    /** Those in this block or an earlier one that do not wait. */
    readonly until: (chainId: EvmChainId, blockNumber: number, limit: number) => Effect.Effect<ReadonlyArray<Sighted>>
    /** Counts transactions with an address that move tokens alone that are not listed. Answers how many there were before. */
    readonly countUnlisted: (address: Address, count: number) => Effect.Effect<number>

    /** Begun ones first; those that belong together follow each other. */
    readonly backfills: (chainId: EvmChainId, limit: number) => Effect.Effect<ReadonlyArray<Backfill>>
    /** Null ends them. */
    readonly moveBackfills: (
      chainId: EvmChainId,
      addresses: ReadonlyArray<Address>,
      left: { readonly next: number; readonly to: number } | null
    ) => Effect.Effect<void>

    /** Movements of the account in that transaction of the chain, by operations and other transactions of the project. */
    readonly recorded: (
      projectId: ProjectId,
      account: WalletAddress,
      chainId: ChainId,
      transactionHash: Hash32
    ) => Effect.Effect<ReadonlyArray<RecordedFlow & { readonly transactionId: string }>>
  }
>()("@countersign/core/chain-activity/ActivityStore") {}
