import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { OperatorAccount, OperatorTransaction } from "./OperatorTransaction.ts"

/** SEND: assigns nonces and signs. WATCH: queries the chain for the states of sent transactions. */
export type OperatorAccountRole = "SEND" | "WATCH"

/**
 * The process that has claimed an operator account, and the end of its lease. After that the process is treated as
 * dead, and another process may claim the account.
 */
export interface OperatorAccountClaim {
  readonly holder: string
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

/** The number and the highest nonce of an operator account's transactions. */
export interface OperatorAccountUsage {
  /** The highest nonce of the included and pending transactions; null if there are no such transactions. */
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

/** A transaction of an operator whose bundle includes an operation. */
export interface BundleTransaction extends Pick<OperatorTransaction, "nonce" | "operations" | "state"> {
  /** The hashes of all versions, the latest first. */
  readonly hashes: ReadonlyArray<Hash32>
  /** False once its block is final, so that it is no longer checked. */
  readonly watched: boolean
}

/** Stores the transactions of the operator keys. All processes that send with the keys share it. */
export class OperatorTransactionStore extends Context.Service<
  OperatorTransactionStore,
  {
    /** Claims a role of an operator account, or extends the lease. Returns false if another process has the role. */
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
     * Stores transactions of an operator account atomically. Each replaces the transaction with its nonce. Returns
     * false and stores nothing if the holder no longer has the SEND role.
     */
    readonly write: (
      operatorAccount: OperatorAccount,
      claim: Pick<OperatorAccountClaim, "holder" | "now">,
      transactions: ReadonlyArray<OperatorTransaction>
    ) => Effect.Effect<boolean>
    /** Removes a transaction that no node accepted, if it is unchanged and has the last nonce of its account. */
    readonly withdraw: (transaction: OperatorTransaction) => Effect.Effect<void>
    readonly watchedOperatorAccounts: Effect.Effect<ReadonlyArray<WatchedOperatorAccount>>
    /** The tracked transactions of an operator account, lowest nonce first. */
    readonly watched: (operatorAccount: OperatorAccount) => Effect.Effect<ReadonlyArray<OperatorTransaction>>
    /** Ends the tracking of transactions that are unchanged. */
    readonly settle: (transactions: ReadonlyArray<OperatorTransaction>) => Effect.Effect<void>
    readonly usage: (operatorAccount: OperatorAccount) => Effect.Effect<OperatorAccountUsage>
    /** All bundle transactions that include the operation. */
    readonly bundleTransactions: (
      chainId: EvmChainId,
      operation: Hash32
    ) => Effect.Effect<ReadonlyArray<BundleTransaction>>
    /** Removes transactions of an operator account that are no longer tracked and were sent before an instant. */
    readonly forget: (operatorAccount: OperatorAccount, before: DateTime.Utc) => Effect.Effect<void>
  }
>()("@countersign/core/operator/OperatorTransactionStore") {}
