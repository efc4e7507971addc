import { Context, type DateTime, type Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import type { OperatorAccount, OperatorTransaction } from "./OperatorTransaction.ts"

/** SEND: assigns nonces and signs. WATCH: queries the chain for the state of sent transactions. */
export type OperatorAccountRole = "SEND" | "WATCH"

/**
 * The process that has claimed an operator account, and the end of its lease: after that it counts as dead and another
 * may claim the account.
 */
export interface OperatorAccountClaim {
  readonly holder: string
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

/** The number and the highest nonce of an operator account's transactions. */
export interface OperatorAccountUsage {
  /** The highest nonce of included or pending transactions; null without any. */
  readonly highestNonce: number | null
  /** Number of pending transactions. */
  readonly waiting: number
}

/** An operator account with watched transactions. */
export interface WatchedOperatorAccount {
  readonly operatorAccount: OperatorAccount
  /** Number of its pending transactions. */
  readonly waiting: number
}

/** A transaction of an operator whose bundle includes an operation. */
export interface BundleTransaction extends Pick<OperatorTransaction, "nonce" | "operations" | "state"> {
  /** Hashes of the versions, the latest first. */
  readonly hashes: ReadonlyArray<Hash32>
  /** False once it is deep enough in the chain to be no longer checked. */
  readonly watched: boolean
}

/** Stores the transactions of the operator keys. Shared by all processes that send with them. */
export class OperatorTransactionStore extends Context.Service<
  OperatorTransactionStore,
  {
    /** Claims a role of an operator account, or extends the lease. Returns false while another process has it. */
    readonly claim: (
      operatorAccount: OperatorAccount,
      role: OperatorAccountRole,
      claim: OperatorAccountClaim
    ) => Effect.Effect<boolean>
    /** Releases a role; does nothing if another process has it by now. */
    readonly release: (
      operatorAccount: OperatorAccount,
      role: OperatorAccountRole,
      holder: string
    ) => Effect.Effect<void>
    /**
     * Stores transactions of an operator account atomically, each replacing the one with its nonce. Returns false and
     * stores nothing if the holder no longer has the SEND role.
     */
    readonly write: (
      operatorAccount: OperatorAccount,
      claim: Pick<OperatorAccountClaim, "holder" | "now">,
      transactions: ReadonlyArray<OperatorTransaction>
    ) => Effect.Effect<boolean>
    /** Removes a transaction that no node accepted, if it is unchanged and the last one of its account. */
    readonly withdraw: (transaction: OperatorTransaction) => Effect.Effect<void>
    readonly watchedOperatorAccounts: Effect.Effect<ReadonlyArray<WatchedOperatorAccount>>
    /** The watched transactions of an operator account, lowest nonce first. */
    readonly watched: (operatorAccount: OperatorAccount) => Effect.Effect<ReadonlyArray<OperatorTransaction>>
    /** Stops watching transactions that are unchanged. */
    readonly settle: (transactions: ReadonlyArray<OperatorTransaction>) => Effect.Effect<void>
    readonly usage: (operatorAccount: OperatorAccount) => Effect.Effect<OperatorAccountUsage>
    /** Every bundle transaction that includes the operation. */
    readonly bundleTransactions: (
      chainId: EvmChainId,
      operation: Hash32
    ) => Effect.Effect<ReadonlyArray<BundleTransaction>>
    /** Removes transactions of an operator account that are no longer watched and were sent before an instant. */
    readonly forget: (operatorAccount: OperatorAccount, before: DateTime.Utc) => Effect.Effect<void>
  }
>()("@countersign/core/operator/OperatorTransactionStore") {}
