import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Hash32 } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import type { Inclusion, OperationRecord, Submission } from "./OperationRecord.ts"

export interface Claim {
  readonly worker: string
  readonly now: DateTime.Utc
  /** Until then nobody else takes what is claimed; after it, anybody may: its worker is taken for dead. */
  readonly leaseUntil: DateTime.Utc
  readonly limit: number
}

/** What a worker gets: an operation to bring into a block, or to watch in the one that it is in. */
export interface Claimed {
  readonly record: OperationRecord
  /** Null while it is in no block. */
  readonly inclusion: Inclusion | null
}

/** A submitted operation that is in no block, and who is at work on it. */
export interface Followed {
  readonly record: OperationRecord
  /** When it is to be looked at again: long past where nobody does. */
  readonly dueAt: DateTime.Utc
  /** Null where nobody holds it. A claim that is over is that of a worker which never came back. */
  readonly claim: { readonly worker: string; readonly until: DateTime.Utc } | null
}

/** All that is followed, as an operator looks at it. */
export interface FollowedOperations {
  /** Oldest submission first. */
  readonly inNoBlock: ReadonlyArray<Followed>
  /** How many are in a block, and watched until it is deep enough to stay. */
  readonly watched: number
  /** When the first of those is to be looked at again; null without any. */
  readonly watchedDueAt: DateTime.Utc | null
}

/**
 * Where prepared operations are kept. A submitted operation is also the job of following it: it stays claimable until
 * it is settled, so that there is no second list of work that could be lost.
 * A move from one state to the next happens once, however many workers make it: the others get false.
 */
export class UserOperationStore extends Context.Service<
  UserOperationStore,
  {
    readonly insert: (record: OperationRecord) => Effect.Effect<void>
    readonly find: (projectId: ProjectId, hash: Hash32) => Effect.Effect<Option.Option<OperationRecord>>
    /** Sets the submission once and makes the operation due at once. False when it had one already. */
    readonly submit: (projectId: ProjectId, hash: Hash32, submission: Submission) => Effect.Effect<boolean>
    /** Takes submitted, unsettled operations that are due and unclaimed (or whose lease is over), oldest due first. */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<Claimed>>
    /** Gives a claimed operation back, due again at an instant. Nothing when another worker holds it by now. */
    readonly reschedule: (hash: Hash32, worker: string, dueAt: DateTime.Utc) => Effect.Effect<void>
    /** Ends the following of an operation that is in no block. False unless it is submitted and in none. */
    readonly settle: (hash: Hash32, at: DateTime.Utc) => Effect.Effect<boolean>
    /** Notes the block that an operation is in, and drops its claim. False unless it is submitted and in none. */
    readonly include: (hash: Hash32, inclusion: Inclusion, dueAt: DateTime.Utc) => Effect.Effect<boolean>
    /** Ends the watching of an operation in this block. False when it is not watched there. */
    readonly finalize: (hash: Hash32, blockHash: Hash32, at: DateTime.Utc) => Effect.Effect<boolean>
    /** The block is gone: the operation is in none again and due. False when it is not watched there. */
    readonly reopen: (hash: Hash32, blockHash: Hash32, dueAt: DateTime.Utc) => Effect.Effect<boolean>
    /** Drops every claim. For a start where no other process can be alive: one process on its own database. */
    readonly releaseAll: Effect.Effect<void>
    /** Submitted operations that are in no block and not given up, oldest first: what an operator looks at. */
    readonly listUnsettled: (limit: number) => Effect.Effect<ReadonlyArray<OperationRecord>>
    /** What is followed, and by whom. The limit is of those in no block. */
    readonly listFollowed: (limit: number) => Effect.Effect<FollowedOperations>
  }
>()("@countersign/core/user-operations/UserOperationStore") {}
