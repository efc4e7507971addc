import { Context, type DateTime, type Effect, type Option, type Scope } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { WorkClaim } from "../../foundation/work/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { PendingGas } from "../losses/index.ts"
import type { Quote } from "../quotes/index.ts"
import type { Execution, WaitsFor } from "./Execution.ts"
import type { Reservation } from "./reservation/Reservation.ts"

export interface Claim extends WorkClaim {
  /** Claims only executions that were accepted after this instant, latest acceptance first. */
  readonly acceptedAfter?: DateTime.Utc
}

/** An execution that a worker has claimed. */
export interface ClaimedExecution {
  readonly execution: Execution
  readonly quote: Quote
  /** Incremented by each move, so that it shows whether the execution has changed since the claim. */
  readonly version: number
}

/** A pending execution, with the claim of a worker. */
export interface FollowedExecution {
  readonly execution: Execution
  readonly quote: Quote
  /** The time of the next check. If no worker is running, it is far in the past. */
  readonly dueAt: DateTime.Utc
  /** Null if no worker has claimed the execution. A claim that has expired belongs to a dead worker. */
  readonly claim: { readonly worker: string; readonly until: DateTime.Utc } | null
}

/** Selects the balances of a wallet on a chain, as of a block. */
export interface BalancesAt {
  readonly chainId: EvmChainId
  readonly walletAddress: WalletAddress
  readonly blockNumber: bigint
  /** An execution that was accepted before this and is in no block has no reservation any longer. */
  readonly acceptedSince: DateTime.Utc
}

/** An execution with its reservation. */
export interface ReservedExecution extends Pick<Execution, "id" | "projectId"> {
  readonly reservation: Reservation
}

/** The subject of the budgets for unpaid gas. */
export interface UnpaidRequest {
  readonly projectId: ProjectId
  readonly owner: Address
  /** An execution that was accepted before this and is in no block does not count any longer. */
  readonly acceptedSince: DateTime.Utc
}

/** Receives hashes of user operations, and ids of quotes. */
export type WakeListener = (subjects: ReadonlyArray<string>) => void

/** The executions in one stage. */
export interface PendingStage {
  readonly stage: string
  readonly waitsFor: WaitsFor
  readonly count: number
  /** The number of executions that have waited longer than normal. */
  readonly lateCount: number
  readonly oldestAcceptedAt: DateTime.Utc
  /** The time of the earliest next check. */
  readonly dueAt: DateTime.Utc
}

/**
 * Stores accepted quotes during their execution. The execution itself is the job that workers claim until its end. So
 * there is no separate queue that could lose it.
 */
export class ExecutionStore extends Context.Service<
  ExecutionStore,
  {
    /** Stores an execution, due immediately. */
    readonly insert: (execution: Execution) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<Execution>>
    /** The quotes of a wallet, in any project, with a pending execution. */
    readonly pendingOf: (walletAddress: WalletAddress) => Effect.Effect<ReadonlyArray<Quote>>
    readonly findByQuote: (projectId: ProjectId, quoteId: string) => Effect.Effect<Option.Option<Execution>>
    /**
     * The archived execution of a user operation or a quote, in any project, by the keys that remain after its month was
     * detached from the archive.
     */
    readonly archivedOf: (operationOrQuote: string) => Effect.Effect<Option.Option<Pick<Execution, "id" | "projectId">>>
    /**
     * Claims due executions that are unclaimed or whose lease has expired. By default those with the longest wait come
     * first.
     */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<ClaimedExecution>>
    /** Releases a claimed execution, which is due again at an instant. Does nothing if another worker has the claim. */
    readonly reschedule: (projectId: ProjectId, id: string, worker: string, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Makes unclaimed executions of user operations due immediately. `onWake` reports those that are claimed. */
    readonly wake: (operations: ReadonlyArray<Hash32>, now: DateTime.Utc) => Effect.Effect<void>
    /** Like `wake`, for the execution of a quote. */
    readonly wakeQuote: (projectId: ProjectId, quoteId: string, now: DateTime.Utc) => Effect.Effect<void>
    /**
     * Until the scope ends, calls the listener with the user operation hashes or the quote id that any process wakes.
     * Calls for other processes are not guaranteed.
     */
    readonly onWake: (listener: WakeListener) => Effect.Effect<void, never, Scope.Scope>
    /**
     * Replaces a pending execution that still has this version, and ends its claim. If `dueAt` is null, ends the
     * execution. Only one of all concurrent workers gets true.
     */
    readonly move: (execution: Execution, version: number, dueAt: DateTime.Utc | null) => Effect.Effect<boolean>
    /**
     * The reservations of these balances by executions of all projects. It excludes executions whose operations are in
     * that block or an earlier one. Call it in a unit of work. Other callers for the same wallet and chain wait until
     * the unit of work ends, so their results include its inserts.
     */
    readonly reserved: (balances: BalancesAt) => Effect.Effect<ReadonlyArray<ReservedExecution>>
    /**
     * The gas that may stay unpaid for executions in no block: of the project, and of all projects. Call it in a unit
     * of work, and before reading the recorded unpaid gas. Other callers wait until the unit of work ends.
     */
    readonly unpaid: (request: UnpaidRequest) => Effect.Effect<PendingGas>
    /** The number of pending executions of a project, or of all projects, by stage and by the party that must act. */
    readonly pending: (projectId: ProjectId | null, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<PendingStage>>
    /**
     * The pending executions of a project, or of all projects, that became late before an instant, with their workers.
     * The earliest late one comes first.
     */
    readonly listLate: (
      projectId: ProjectId | null,
      before: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<FollowedExecution>>
  }
>()("@countersign/core/executions/ExecutionStore") {}
