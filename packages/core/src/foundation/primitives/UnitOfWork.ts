import { Context, type Effect } from "effect"

/**
 * All that an effect stores, or nothing of it: a database transaction. Inner ones join the outer: what they store goes
 * with it, and one that fails takes back its own part alone.
 */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  { readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
>()("@countersign/core/primitives/UnitOfWork") {}
