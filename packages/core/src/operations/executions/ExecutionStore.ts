import { Context, type DateTime, type Effect, type Option, type Scope } from "effect"
import type { ChainId, EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { WorkClaim } from "../../foundation/work/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Quote } from "../quotes/index.ts"
import type { PendingGas } from "../unpaid-gas/index.ts"
import type { Execution, WaitsFor } from "./Execution.ts"
import type { Reservation } from "./reservation/Reservation.ts"

export interface Claim extends WorkClaim {
  /** If set, claims only executions that were accepted after this time, latest acceptance first. */
  readonly acceptedAfter?: DateTime.Utc
}

/** An execution that a worker has claimed. */
export interface ClaimedExecution {
  readonly execution: Execution
  readonly quote: Quote
  /** Incremented by each move. A different value shows that the execution has changed since the claim. */
  readonly version: number
}

/** A pending execution, and the worker's claim on it. */
export interface PendingExecution {
  readonly execution: Execution
  readonly quote: Quote
  /** The time of the next check. If no worker is running, it is far in the past. */
  readonly dueAt: DateTime.Utc
  /**
   * Null if no worker has claimed the execution. If `until` is in the past, the claim has expired, normally because the
   * worker's process has died.
   */
  readonly claim: { readonly worker: string; readonly until: DateTime.Utc } | null
}

/** Identifies the balances of a wallet on a chain at a block. */
export interface BalancesAt {
  readonly chainId: EvmChainId
  readonly walletAddress: WalletAddress
  readonly blockNumber: bigint
  /** An execution that was accepted before this time has no reservation, unless its operations are included. */
  readonly acceptedSince: DateTime.Utc
}

/** An execution and its reservation. */
export interface ReservedExecution extends Pick<Execution, "id" | "projectId"> {
  readonly reservation: Reservation
}

/** Identifies the budgets for unpaid gas that apply to an operation. */
export interface PendingGasRequest {
  readonly projectId: ProjectId
  readonly owner: Address
  /** An execution that was accepted before this time does not count. */
  readonly acceptedSince: DateTime.Utc
}

/** Receives hashes of user operations, and ids of quotes. */
export type WakeListener = (subjects: ReadonlyArray<string>) => void

/** The executions in one stage. */
export interface PendingStage {
  readonly stage: string
  readonly waitsFor: WaitsFor
  readonly count: number
  /** Number of executions that have waited longer than normal. */
  readonly lateCount: number
  readonly oldestAcceptedAt: DateTime.Utc
  /** The earliest time of a next check. */
  readonly dueAt: DateTime.Utc
}

/**
 * Stores accepted quotes during their execution. Workers claim executions directly, so no separate job queue exists
 * that could lose one.
 */
export class ExecutionStore extends Context.Service<
  ExecutionStore,
  {
    /** Stores an execution that is due immediately. */
    readonly insert: (execution: Execution) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<Execution>>
    /**
     * Locks an execution until the unit of work ends. Other units of work that store a move or a cancellation wait. A
     * unit of work must lock the execution before it reads and changes the execution's transaction.
     */
    readonly lock: (projectId: ProjectId, id: string) => Effect.Effect<void>
    /**
     * Locks the acceptances of a wallet's quotes on a chain until the unit of work ends. Other callers wait, so what they
     * read then includes this unit's inserts.
     */
    readonly lockWallet: (chainId: ChainId, walletAddress: WalletAddress) => Effect.Effect<void>
    /** Returns a wallet's quotes with a pending execution, in all projects. */
    readonly listPendingQuotes: (walletAddress: WalletAddress) => Effect.Effect<ReadonlyArray<Quote>>
    readonly findByQuote: (projectId: ProjectId, quoteId: string) => Effect.Effect<Option.Option<Execution>>
    /**
     * Returns the archived execution of a user operation or quote, in any project. Also finds an execution whose month
     * is no longer in the archive.
     */
    readonly findArchived: (
      operationOrQuote: string
    ) => Effect.Effect<Option.Option<Pick<Execution, "id" | "projectId">>>
    /**
     * Claims due executions that are unclaimed, or whose claim has expired. By default, the longest overdue come first.
     */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<ClaimedExecution>>
    /** Releases a claimed execution, and schedules its next check. Does nothing if another worker has the claim. */
    readonly reschedule: (projectId: ProjectId, id: string, worker: string, dueAt: DateTime.Utc) => Effect.Effect<void>
    /**
     * Makes the unclaimed executions of user operations due immediately. For claimed ones, `onWake` notifies the
     * worker.
     */
    readonly wake: (operations: ReadonlyArray<Hash32>, now: DateTime.Utc) => Effect.Effect<void>
    /** Does the same as `wake`, for the execution of a quote. */
    readonly wakeQuote: (projectId: ProjectId, quoteId: string, now: DateTime.Utc) => Effect.Effect<void>
    /**
     * Calls the listener when claimed executions are woken, with their user operation hashes or quote ids, until the
     * scope ends. The list may also contain unclaimed ones. Wakes in other processes may be missed.
     */
    readonly onWake: (listener: WakeListener) => Effect.Effect<void, never, Scope.Scope>
    /**
     * Replaces a pending execution that still has this version, and ends its claim. If `dueAt` is null, the execution
     * ends. Returns true to only one of all concurrent workers.
     */
    readonly update: (execution: Execution, version: number, dueAt: DateTime.Utc | null) => Effect.Effect<boolean>
    /**
     * Returns the reservations of these balances by executions of all projects. Omits executions whose operations are
     * included in that block or an earlier one, unless one of their uses lasts longer. It must be called in a unit of
     * work, and locks the wallet as `lockWallet` does.
     */
    readonly listReserved: (balances: BalancesAt) => Effect.Effect<ReadonlyArray<ReservedExecution>>
    /**
     * Returns the gas that executions whose operations are not included yet may leave unpaid, in the project and in all
     * projects. It must be called in a unit of work, and before the recorded unpaid gas is read. Other callers then
     * wait until the unit of work ends.
     */
    readonly readPendingGas: (request: PendingGasRequest) => Effect.Effect<PendingGas>
    /**
     * Counts the pending executions by stage, and by the party that must act. If the project id is null, counts those
     * of all projects.
     */
    readonly countPending: (
      projectId: ProjectId | null,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<PendingStage>>
    /**
     * Returns the pending executions that became late before this time, earliest first, with their claims. If the
     * project id is null, returns those of all projects.
     */
    readonly listLate: (
      projectId: ProjectId | null,
      before: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<PendingExecution>>
  }
>()("@countersign/core/executions/ExecutionStore") {}
