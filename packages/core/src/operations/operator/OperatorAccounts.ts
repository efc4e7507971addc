import { Context, type Effect } from "effect"
import type { Hash32 } from "../../foundation/primitives/index.ts"

/** Rebroadcasts the operator's transactions until a block includes them, and tracks their blocks. */
export class OperatorAccounts extends Context.Service<
  OperatorAccounts,
  {
    /**
     * Starts a check of each operator account of this process that is due. Returns the milliseconds until the next
     * check. Null if no transaction is tracked.
     */
    readonly checkDue: Effect.Effect<number | null>
    /** Returns the user operations whose transactions were included in or removed from a block since the last call. */
    readonly takeChangedOperations: Effect.Effect<ReadonlyArray<Hash32>>
  }
>()("@countersign/core/operator/OperatorAccounts") {}
