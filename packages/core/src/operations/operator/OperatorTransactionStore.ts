import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { OperatorAccount, OperatorTransaction } from "./OperatorTransaction.ts"

/** SEND: assigns nonces and signs. WATCH: reads the on-chain states of sent transactions. */
export type OperatorAccountRole = "SEND" | "WATCH"

/**
 * The process that has claimed an operator account, and the end of the claim. After the end, another process may claim
 * the account.
 */
export interface OperatorAccountClaim {
  readonly holder: string
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

/** The highest nonce that an operator account uses, and the number of its pending transactions. */
export interface OperatorAccountUsage {
  /** The highest nonce of the tracked transactions that are pending or included. Null if there are none. */
  readonly highestNonce: number | null
  /** Number of pending transactions. */
  readonly waiting: number
}

/** An operator account with tracked transactions. */
export interface WatchedOperatorAccount {
  readonly operatorAccount: OperatorAccount
  /** Number of the account's pending transactions. */
  readonly waiting: number
}

/** A transaction of an operator that includes a user operation in its bundle. */
export interface BundleTransaction extends Pick<OperatorTransaction, "nonce" | "operations" | "state"> {
  /** The hashes of all versions, the latest first. */
  readonly hashes: ReadonlyArray<Hash32>
  /** False after the state of the transaction became final. The transaction is then no longer checked. */
  readonly watched: boolean
}

/** Stores the transactions of the operator keys. All processes that send with the keys share it. */
export class OperatorTransactionStore extends Context.Service<
  OperatorTransactionStore,
  {
    /** Claims a role of an operator account, or extends the claim. Returns false if another process has the role. */
    readonly claim: (
      operatorAccount: OperatorAccount,
      role: OperatorAccountRole,
      claim: OperatorAccountClaim
    ) => Effect.Effect<boolean>
    /** Releases a role. Does nothing if another process has the role. */
    readonly release: (
      operatorAccount: OperatorAccount,
      role: OperatorAccountRole,
      holder: string
    ) => Effect.Effect<void>
    /**
     * Stores transactions of an operator account atomically. Each replaces the stored transaction with the same nonce.
     * Returns false and stores nothing if the process no longer has the SEND role.
     */
    readonly record: (
      operatorAccount: OperatorAccount,
      claim: Pick<OperatorAccountClaim, "holder" | "now">,
      transactions: ReadonlyArray<OperatorTransaction>
    ) => Effect.Effect<boolean>
    /** Deletes a transaction that no node accepted, if it is unchanged and has the highest nonce of its account. */
    readonly remove: (transaction: OperatorTransaction) => Effect.Effect<void>
    readonly listWatchedAccounts: Effect.Effect<ReadonlyArray<WatchedOperatorAccount>>
    /** Returns the tracked transactions of an operator account, lowest nonce first. */
    readonly listTracked: (operatorAccount: OperatorAccount) => Effect.Effect<ReadonlyArray<OperatorTransaction>>
    /** Stops tracking these transactions, unless they have changed. */
    readonly stopTracking: (transactions: ReadonlyArray<OperatorTransaction>) => Effect.Effect<void>
    readonly readUsage: (operatorAccount: OperatorAccount) => Effect.Effect<OperatorAccountUsage>
    /** Returns all bundle transactions that include the operation. */
    readonly listBundles: (chainId: EvmChainId, operation: Hash32) => Effect.Effect<ReadonlyArray<BundleTransaction>>
    /** Deletes the transactions of an operator account that are no longer tracked and were sent before a time. */
    readonly removeBefore: (operatorAccount: OperatorAccount, before: DateTime.Utc) => Effect.Effect<void>
  }
>()("@countersign/core/operator/OperatorTransactionStore") {}
