import { Context, type Effect } from "effect"

/**
 * A database transaction: everything that an effect stores is committed, or nothing. A nested unit joins the outer one:
 * its writes are committed with the outer unit. If the nested unit fails, only its own writes are rolled back.
 */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  { readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
>()("@countersign/core/primitives/UnitOfWork") {}
