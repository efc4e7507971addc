import { Context, type Effect } from "effect"
import type { Hash32 } from "../../foundation/primitives/index.ts"

/** Keeps the operator's transactions on their way to a block, and in it. */
export class OperatorLanes extends Context.Service<
  OperatorLanes,
  {
    /**
     * Looks after the lanes that are due and that no other process looks after. Answers the milliseconds after which
     * something may be due again.
     */
    readonly keepDue: Effect.Effect<number>
    /** The user operations whose transactions changed their state since this was last asked: in a block, or out of one. */
    readonly news: Effect.Effect<ReadonlyArray<Hash32>>
  }
>()("@countersign/core/operator/OperatorLanes") {}
