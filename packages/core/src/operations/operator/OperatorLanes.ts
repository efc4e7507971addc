import { Context, type Effect } from "effect"
import type { Hash32 } from "../../foundation/primitives/index.ts"

/** Keeps the operator's transactions on their way to a block, and in it. */
export class OperatorLanes extends Context.Service<
  OperatorLanes,
  {
    /**
     * Checks the operator accounts that are due and that no other process watches. Returns the milliseconds until the next check, or
     * null if no transaction is watched.
     */
    readonly keepDue: Effect.Effect<number | null>
    /** The user operations whose transactions changed their state since this was last asked: in a block, or out of one. */
    readonly news: Effect.Effect<ReadonlyArray<Hash32>>
  }
>()("@countersign/core/operator/OperatorLanes") {}
