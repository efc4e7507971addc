import { Context, type Effect } from "effect"
import type { Hash32 } from "../../foundation/primitives/index.ts"

/** Keeps the operator's transactions broadcast until they are in a block, and watches them there. */
export class OperatorAccounts extends Context.Service<
  OperatorAccounts,
  {
    /**
     * Checks the operator accounts that are due and unclaimed. Returns the milliseconds until the next check, or null if no
     * transaction is watched.
     */
    readonly keepDue: Effect.Effect<number | null>
    /**
     * The user operations whose transactions changed their state since the last call: included, or no longer included.
     */
    readonly news: Effect.Effect<ReadonlyArray<Hash32>>
  }
>()("@countersign/core/operator/OperatorAccounts") {}
