import { Context, type DateTime, type Effect, type Option, type Scope } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { WorkClaim } from "../../foundation/work/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { UnderWay } from "../losses/index.ts"
import type { Quote } from "../quotes/index.ts"
import type { Execution, WaitsFor } from "./Execution.ts"
import type { Reservation } from "./reservation/Reservation.ts"

export interface Claim extends WorkClaim {
  /** Claims only executions that were accepted after this instant, newest acceptance first. */
  readonly acceptedAfter?: DateTime.Utc
}

/** An execution that a worker has claimed. */
export interface ClaimedExecution {
  readonly execution: Execution
  readonly quote: Quote
  /** Incremented by each move: shows whether the execution has changed since the claim. */
  readonly version: number
}

/** A pending execution, with the worker that has claimed it. */
export interface FollowedExecution {
  readonly execution: Execution
  readonly quote: Quote
  /** The time of the next check; far in the past if no worker is running. */
  readonly dueAt: DateTime.Utc
  /** Null if no worker has claimed it. An expired claim belongs to a worker that died. */
  readonly claim: { readonly worker: string; readonly until: DateTime.Utc } | null
}

/** The balances of a wallet on a chain, in a block. */
export interface BalancesAt {
  readonly chainId: EvmChainId
  readonly walletAddress: WalletAddress
  readonly blockNumber: bigint
  /** Executions that were accepted before this and are in no block yet have lost their reservation. */
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
  /** The same as for balances. */
  readonly acceptedSince: DateTime.Utc
}

/** Receives the hashes of user operations, and the ids of quotes. */
export type WakeListener = (subjects: ReadonlyArray<string>) => void

/** The executions in one stage. */
export interface PendingStage {
  readonly stage: string
  readonly waitsFor: WaitsFor
  readonly count: number
  /** How many have waited longer than normal. */
  readonly lateCount: number
  readonly oldestAcceptedAt: DateTime.Utc
  /** The earliest of their next checks. */
  readonly dueAt: DateTime.Utc
}

/**
 * Stores accepted quotes while they are executed. An execution is also its own job: workers can claim it until it has
 * ended, so no second work queue can lose it.
 */
export class ExecutionStore extends Context.Service<
  ExecutionStore,
  {
    /** Stores an execution, due immediately. */
    readonly insert: (execution: Execution) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<Execution>>
    /** The quotes of a wallet, in any project, whose executions have not ended. */
    readonly underWayOf: (walletAddress: WalletAddress) => Effect.Effect<ReadonlyArray<Quote>>
    readonly findByQuote: (projectId: ProjectId, quoteId: string) => Effect.Effect<Option.Option<Execution>>
    /**
     * The archived execution of a user operation, in any project, by the keys that remain after its month was detached
     * from the archive.
     */
    readonly archivedOf: (operation: Hash32) => Effect.Effect<Option.Option<Pick<Execution, "id" | "projectId">>>
    /**
     * Claims executions that are due and unclaimed (or whose lease has expired), by default those with the longest wait
     * first.
     */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<ClaimedExecution>>
    /** Releases a claimed execution, due again at an instant. Does nothing if another worker has claimed it since. */
    readonly reschedule: (projectId: ProjectId, id: string, worker: string, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Makes unclaimed executions of user operations due immediately, and reports to `onWake` where some are claimed. */
    readonly wake: (operations: ReadonlyArray<Hash32>, now: DateTime.Utc) => Effect.Effect<void>
    /** The same for the execution of a quote. */
    readonly wakeQuote: (projectId: ProjectId, quoteId: string, now: DateTime.Utc) => Effect.Effect<void>
    /**
     * Calls the listener with the hashes of user operations, or the id of a quote, that any process wakes, until the scope ends.
     * A report of another process may be lost.
     */
    readonly onWake: (listener: WakeListener) => Effect.Effect<void, never, Scope.Scope>
    /**
     * Replaces a pending execution that still has this version, and ends its claim. `dueAt` null ends the execution. Of
     * all concurrent workers, one gets true.
     */
    readonly move: (execution: Execution, version: number, dueAt: DateTime.Utc | null) => Effect.Effect<boolean>
    /**
     * The reservations of these balances by executions of all projects, without those whose operations are in that
     * block or an earlier one. Call it in a unit of work: other callers wait for the wallet on the chain until that
     * unit has ended, so the next result includes what it inserts.
     */
    readonly reserved: (balances: BalancesAt) => Effect.Effect<ReadonlyArray<ReservedExecution>>
    /**
     * The gas that executions in no block may leave unpaid: of the project, and of all projects. Call it in a unit of
     * work, and before reading their unpaid gas: other callers wait until that unit has ended.
     */
    readonly unpaid: (request: UnpaidRequest) => Effect.Effect<UnderWay>
    /** The number of pending executions of a project, or of all, by stage and by the party that they wait for. */
    readonly pending: (projectId: ProjectId | null, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<PendingStage>>
    /**
     * The pending executions of a project, or of all, that are late before an instant, with their workers; the earliest
     * late one first.
     */
    readonly listLate: (
      projectId: ProjectId | null,
      before: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<FollowedExecution>>
  }
>()("@countersign/core/executions/ExecutionStore") {}
