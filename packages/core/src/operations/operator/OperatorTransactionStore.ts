import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { Lane, OperatorTransaction } from "./OperatorTransaction.ts"

/** SEND: gives out nonces and signs. WATCH: asks the chain what became of what was sent. */
export type LaneRole = "SEND" | "WATCH"

/** The process that holds a lane, and until when: after that it counts as dead and another may take the lane. */
export interface LaneClaim {
  readonly holder: string
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

/** How many transactions a lane has, and up to which nonce. */
export interface LaneUsage {
  /** The highest nonce of what is in a block or on its way; null without any. */
  readonly highestNonce: number | null
  /** How many transactions are on their way. */
  readonly waiting: number
}

/** A lane that has something to watch. */
export interface WatchedLane {
  readonly lane: Lane
  /** How many of its transactions are on their way to a block. */
  readonly waiting: number
}

/** A transaction of an operator whose bundle includes an operation. */
export interface BundleTransaction extends Pick<OperatorTransaction, "nonce" | "operations" | "state"> {
  /** Hashes of the versions, the latest first. */
  readonly hashes: ReadonlyArray<Hash32>
  /** False once it is so deep in the chain that it is no longer checked. */
  readonly watched: boolean
}

/** The transactions of the operator keys, shared by every process that sends with them. */
export class OperatorTransactionStore extends Context.Service<
  OperatorTransactionStore,
  {
    /** Takes a role of a lane, or keeps it for longer. False while another holds it. */
    readonly claim: (lane: Lane, role: LaneRole, claim: LaneClaim) => Effect.Effect<boolean>
    /** Gives a role back; nothing where another holds it by now. */
    readonly release: (lane: Lane, role: LaneRole, holder: string) => Effect.Effect<void>
    /**
     * Stores transactions of a lane, each in the place of what had its nonce, or none of them: false where the holder
     * does not have the SEND role of the lane any more.
     */
    readonly write: (
      lane: Lane,
      claim: Pick<LaneClaim, "holder" | "now">,
      transactions: ReadonlyArray<OperatorTransaction>
    ) => Effect.Effect<boolean>
    /** Takes back a transaction that no node would have, if it is still as it was and the last of its lane. */
    readonly withdraw: (transaction: OperatorTransaction) => Effect.Effect<void>
    readonly watchedLanes: Effect.Effect<ReadonlyArray<WatchedLane>>
    /** The watched transactions of a lane, lowest nonce first. */
    readonly watched: (lane: Lane) => Effect.Effect<ReadonlyArray<OperatorTransaction>>
    /** Stops watching transactions that are as they were given. */
    readonly settle: (transactions: ReadonlyArray<OperatorTransaction>) => Effect.Effect<void>
    readonly usage: (lane: Lane) => Effect.Effect<LaneUsage>
    /** Every bundle transaction that includes the operation. */
    readonly bundleTransactions: (
      chainId: EvmChainId,
      operation: Hash32
    ) => Effect.Effect<ReadonlyArray<BundleTransaction>>
    /** Removes transactions of a lane that are no longer watched and were sent before an instant. */
    readonly forget: (lane: Lane, before: DateTime.Utc) => Effect.Effect<void>
  }
>()("@countersign/core/operator/OperatorTransactionStore") {}
