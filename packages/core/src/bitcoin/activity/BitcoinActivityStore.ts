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
  /** The time of the next check. Null if only a new block can change the state. */
  readonly dueAt: DateTime.Utc | null
}

/** Stores the detected Bitcoin transactions of registered addresses, and when each address is polled. */
export class BitcoinActivityStore extends Context.Service<
  BitcoinActivityStore,
  {
    /** Counts the distinct registered addresses. */
    readonly countAddresses: Effect.Effect<number>
    /** Returns the addresses of this list that are registered. */
    readonly findRegistered: (addresses: Iterable<BitcoinAddress>) => Effect.Effect<ReadonlySet<BitcoinAddress>>
    /** Returns the projects that registered an address. */
    readonly listProjects: (address: BitcoinAddress) => Effect.Effect<ReadonlyArray<ProjectId>>

    /** Returns a project's pending transactions from another chain to Bitcoin. */
    readonly listArriving: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<Transaction>>

    /**
     * Stores detected transfers, which are due immediately. If a transfer is already stored and the new one has no
     * block, the stored one stays unchanged.
     */
    readonly recordDetected: (
      detectedTransfers: ReadonlyArray<DetectedBitcoinTransfer>,
      now: DateTime.Utc
    ) => Effect.Effect<void>
    /** Returns due transfers, the longest overdue first. */
    readonly listDue: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<StoredBitcoinTransfer>>
    /**
     * Returns confirmed transfers without a scheduled check (`dueAt` is null), whose recorded number of confirmations
     * is lower than the number at this height.
     */
    readonly listOutdated: (height: number, limit: number) => Effect.Effect<ReadonlyArray<StoredBitcoinTransfer>>
    /** Returns the transfers that are confirmed in a block above this height. */
    readonly listAbove: (height: number) => Effect.Effect<ReadonlyArray<StoredBitcoinTransfer>>
    readonly postpone: (storedTransfer: StoredBitcoinTransfer, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Stores a change. Returns false and stores nothing if the stored transfer has changed since it was read. */
    readonly recordDecision: (
      storedTransfer: StoredBitcoinTransfer,
      change: StoredTransferChange
    ) => Effect.Effect<boolean>
    readonly remove: (storedTransfer: StoredBitcoinTransfer) => Effect.Effect<void>

    /** Returns the addresses that are due for a poll, the longest overdue first. */
    readonly listDuePolls: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<AddressPoll>>
    /**
     * Stores a poll's result. Does nothing if the stored poll has changed, because the address was registered again.
     */
    readonly recordPoll: (poll: AddressPoll, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Makes these addresses due no later than `dueAt`, because of new activity. */
    readonly advancePolls: (
      addresses: ReadonlyArray<BitcoinAddress>,
      activeAt: DateTime.Utc,
      dueAt: DateTime.Utc
    ) => Effect.Effect<void>
    /**
     * Schedules another read of every address's history, from the newest transaction down to this block. An address
     * that still has to be read down to an earlier block keeps that block.
     */
    readonly scheduleRecheck: (toHeight: number, now: DateTime.Utc) => Effect.Effect<void>
  }
>()("@countersign/core/bitcoin-activity/BitcoinActivityStore") {}
