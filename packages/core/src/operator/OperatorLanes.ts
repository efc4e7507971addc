import { Context, type Effect } from "effect"

/** Keeps the operator's transactions on their way to a block, and in it. */
export class OperatorLanes extends Context.Service<
  OperatorLanes,
  {
    /**
     * Looks after the lanes that are due and that no other process looks after. Answers the milliseconds after which
     * something may be due again.
     */
    readonly keepDue: Effect.Effect<number>
  }
>()("@countersign/core/operator/OperatorLanes") {}
