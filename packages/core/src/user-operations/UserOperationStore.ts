import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Hash32 } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import type { OperationRecord, Submission } from "./OperationRecord.ts"

export interface Claim {
  readonly worker: string
  readonly now: DateTime.Utc
  /** Until then nobody else takes what is claimed; after it, anybody may: its worker is taken for dead. */
  readonly leaseUntil: DateTime.Utc
  readonly limit: number
}

/**
 * Where prepared operations are kept. A submitted operation is also the job of following it: it stays claimable until
 * it is settled, so that there is no second list of work that could be lost.
 */
export class UserOperationStore extends Context.Service<
  UserOperationStore,
  {
    readonly insert: (record: OperationRecord) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, hash: Hash32) => Effect.Effect<Option.Option<OperationRecord>>
    /** Sets the submission once and makes the operation due at once. False when it had one already. */
    readonly submit: (projectId: ProjectId, hash: Hash32, submission: Submission) => Effect.Effect<boolean>
    /** Takes submitted, unsettled operations that are due and unclaimed (or whose lease is over), oldest due first. */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<OperationRecord>>
    /** Gives a claimed operation back, due again at an instant. Nothing when another worker holds it by now. */
    readonly reschedule: (hash: Hash32, worker: string, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Ends the following of an operation. False when it was settled already, or never submitted. */
    readonly settle: (hash: Hash32, at: DateTime.Utc) => Effect.Effect<boolean>
    /** Drops every claim. For a start where no other process can be alive: one process on its own database. */
    readonly releaseAll: Effect.Effect<void>
    /** Submitted and unsettled operations, oldest first: what an operator looks at. */
    readonly listUnsettled: (limit: number) => Effect.Effect<ReadonlyArray<OperationRecord>>
  }
>()("@countersign/core/user-operations/UserOperationStore") {}
