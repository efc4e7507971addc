import { Context, type DateTime, type Effect } from "effect"
import type { Transaction } from "../../accounting/history/index.ts"
import type { BitcoinAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { BitcoinBlock } from "../chain/index.ts"
import type {
  AddressPoll,
  DetectedBitcoinTransfer,
  Outpoint,
  StoredBitcoinTransfer
} from "./DetectedBitcoinTransfer.ts"

/** The state of a detected transfer after a check. */
export interface StoredTransferChange {
  readonly block: BitcoinBlock | null
  readonly confirmations: number
  readonly spends: ReadonlyArray<Outpoint> | null
  /** The time of the next check; null if only a new block can change the state. */
  readonly dueAt: DateTime.Utc | null
}

/** Stores the Bitcoin transactions of registered addresses, and when each address is polled. */
export class BitcoinActivityStore extends Context.Service<
  BitcoinActivityStore,
  {
    /** The number of distinct registered addresses. */
    readonly addressCount: Effect.Effect<number>
    /** The registered ones of these addresses. */
    readonly registered: (addresses: Iterable<BitcoinAddress>) => Effect.Effect<ReadonlySet<BitcoinAddress>>
    /** The projects that registered an address. */
    readonly projectsOf: (address: BitcoinAddress) => Effect.Effect<ReadonlyArray<ProjectId>>

    /** Pending transactions of a project from another chain to Bitcoin. */
    readonly arriving: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<Transaction>>

    /** Stores detected transfers, due immediately. A known transfer stays unchanged if the new one has no block. */
    readonly see: (detectedTransfers: ReadonlyArray<DetectedBitcoinTransfer>, now: DateTime.Utc) => Effect.Effect<void>
    /** Due transfers, those with the longest wait first. */
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredBitcoinTransfer>>
    /** Transfers in a block that are not due, and whose recorded confirmations are fewer than at this height. */
    readonly grown: (height: number, limit: number) => Effect.Effect<ReadonlyArray<StoredBitcoinTransfer>>
    /** Transfers in blocks above a height. */
    readonly above: (height: number) => Effect.Effect<ReadonlyArray<StoredBitcoinTransfer>>
    readonly later: (storedTransfer: StoredBitcoinTransfer, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Returns false and stores nothing if the stored transfer has changed since it was read. */
    readonly decide: (storedTransfer: StoredBitcoinTransfer, change: StoredTransferChange) => Effect.Effect<boolean>
    readonly forget: (storedTransfer: StoredBitcoinTransfer) => Effect.Effect<void>

    /** Addresses that are due for a poll, those with the longest wait first. */
    readonly duePolls: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<AddressPoll>>
    /** Stores a poll's result. Does nothing if the poll has changed, because the address was registered again. */
    readonly movePoll: (poll: AddressPoll, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Makes the addresses due at `dueAt` or earlier, because of new activity. */
    readonly advancePolls: (
      addresses: ReadonlyArray<BitcoinAddress>,
      activeAt: DateTime.Utc,
      dueAt: DateTime.Utc
    ) => Effect.Effect<void>
    /** Schedules another read of every address's history, down to this block or a lower one that was required. */
    readonly recheck: (toHeight: number, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@countersign/core/bitcoin-activity/BitcoinActivityStore") {}
