import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ProjectId } from "../projects/index.ts"
import type { Quote } from "../quotes/index.ts"
import type { Execution } from "./Execution.ts"

export interface Claim {
  readonly worker: string
  readonly now: DateTime.Utc
  /** Until then nobody else takes what is claimed; after it, anybody may: its worker is taken for dead. */
  readonly leaseUntil: DateTime.Utc
  readonly limit: number
}

/** What a worker gets. */
export interface ClaimedExecution {
  readonly execution: Execution
  readonly quote: Quote
  /** One more with each move: tells whether the execution is still as it was claimed. */
  readonly version: number
}

/** An execution that is under way, and who is at work on it. */
export interface FollowedExecution {
  readonly execution: Execution
  readonly quote: Quote
  /** When it is to be looked at again: long past where nobody does. */
  readonly dueAt: DateTime.Utc
  /** Null where nobody holds it. A claim that is over is that of a worker which never came back. */
  readonly claim: { readonly worker: string; readonly until: DateTime.Utc } | null
}

/** All that is followed, as an operator looks at it. */
export interface FollowedExecutions {
  /** What is in any stage but the one named as settled; oldest acceptance first. */
  readonly unsettled: ReadonlyArray<FollowedExecution>
  /** How many are in the settled stage, and when the first of those is to be looked at again; null without any. */
  readonly settledCount: number
  readonly settledDueAt: DateTime.Utc | null
}

/**
 * Where accepted quotes are kept while they are brought about. An execution is also the job of following it: it stays
 * claimable until it has ended, so that there is no second list of work that could be lost.
 */
export class ExecutionStore extends Context.Service<
  ExecutionStore,
  {
    /** Due at once. */
    readonly insert: (execution: Execution) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<Execution>>
    readonly findByQuote: (projectId: ProjectId, quoteId: string) => Effect.Effect<Option.Option<Execution>>
    /** Takes executions that are due and unclaimed (or whose lease is over), oldest due first. */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<ClaimedExecution>>
    /** Gives a claimed execution back, due again at an instant. Nothing when another worker holds it by now. */
    readonly reschedule: (id: string, worker: string, dueAt: DateTime.Utc) => Effect.Effect<void>
    /**
     * Replaces an execution that is under way and still at this version, and drops its claim. `dueAt` null ends it.
     * However many workers move it at once, one of them gets true.
     */
    readonly move: (execution: Execution, version: number, dueAt: DateTime.Utc | null) => Effect.Effect<boolean>
    /** Drops every claim. For a start where no other process can be alive: one process on its own database. */
    readonly releaseAll: Effect.Effect<void>
    /** What is followed, and by whom. The limit is of what is open. */
    readonly listFollowed: (settledStage: string, limit: number) => Effect.Effect<FollowedExecutions>
  }
>()("@countersign/core/executions/ExecutionStore") {}
