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
  /** Takes executions that were accepted after this instant alone, newest acceptance first. */
  readonly acceptedAfter?: DateTime.Utc
}

/** An execution that a worker has claimed. */
export interface ClaimedExecution {
  readonly execution: Execution
  readonly quote: Quote
  /** Increases by one with each move: shows whether the execution has changed since the claim. */
  readonly version: number
}

/** An execution that has not ended, and the worker that holds it. */
export interface FollowedExecution {
  readonly execution: Execution
  readonly quote: Quote
  /** The time of the next check; far in the past where no worker is running. */
  readonly dueAt: DateTime.Utc
  /** Null where no worker holds it. An expired claim belongs to a worker that died. */
  readonly claim: { readonly worker: string; readonly until: DateTime.Utc } | null
}

/** The balances of a wallet on a chain, as they are in a block. */
export interface BalancesAt {
  readonly chainId: EvmChainId
  readonly walletAddress: WalletAddress
  readonly blockNumber: bigint
  /** Executions that were accepted before this and are in no block yet have lost their reservation. */
  readonly acceptedSince: DateTime.Utc
}

/** An execution with what it reserves. */
export interface ReservedExecution extends Pick<Execution, "id" | "projectId"> {
  readonly reservation: Reservation
}

/** For whose gas the budgets are asked. */
export interface UnpaidRequest {
  readonly projectId: ProjectId
  readonly owner: Address
  /** As for balances. */
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
 * Stores accepted quotes while they are executed. An execution is also the job that drives it: workers can claim it until
 * it has ended, so there is no second work list that could be lost.
 */
export class ExecutionStore extends Context.Service<
  ExecutionStore,
  {
    /** Due at once. */
    readonly insert: (execution: Execution) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<Execution>>
    /** The quotes of a wallet, of whichever project, whose executions have not ended. */
    readonly underWayOf: (walletAddress: WalletAddress) => Effect.Effect<ReadonlyArray<Quote>>
    readonly findByQuote: (projectId: ProjectId, quoteId: string) => Effect.Effect<Option.Option<Execution>>
    /** Takes executions that are due and unclaimed (or whose lease is over), oldest due first where nothing else is asked. */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<ClaimedExecution>>
    /** Gives a claimed execution back, due again at an instant. Does nothing when another worker holds it now. */
    readonly reschedule: (id: string, worker: string, dueAt: DateTime.Utc) => Effect.Effect<void>
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
     * Replaces an execution that is under way and still at this version, and drops its claim. `dueAt` null ends it.
     * However many workers move it at once, one of them gets true.
     */
    readonly move: (execution: Execution, version: number, dueAt: DateTime.Utc | null) => Effect.Effect<boolean>
    /**
     * The reservations of these balances: by executions of every project, without those whose operations are in that
     * block or an earlier one. Ask in a unit of work: other callers get no answer for the wallet on the chain until
     * that unit has ended, so what it inserts is in the next answer.
     */
    readonly reserved: (balances: BalancesAt) => Effect.Effect<ReadonlyArray<ReservedExecution>>
    /**
     * The gas that executions in no block may leave unpaid: of the project, and of all projects. Ask in a unit of work,
     * and before their losses are read: other callers get no answer until that unit has ended.
     */
    readonly unpaid: (request: UnpaidRequest) => Effect.Effect<UnderWay>
    /** How many executions of a project, or of all, have not ended, by stage and by whom they wait for. */
    readonly pending: (projectId: ProjectId | null, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<PendingStage>>
    /**
     * The executions of a project, or of all, that have not ended and are late before an instant, with their workers; the first to
     * be late first.
     */
    readonly listLate: (
      projectId: ProjectId | null,
      before: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<FollowedExecution>>
  }
>()("@countersign/core/executions/ExecutionStore") {}
