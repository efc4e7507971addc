import { Context, type Effect } from "effect"

/**
 * Runs effects in database transactions: either all writes of an effect are committed, or none. A nested unit joins the
 * outer one, and its writes are committed with the outer unit. If the nested unit fails, only its own writes are rolled
 * back.
 */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  { readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
>()("@countersign/core/primitives/UnitOfWork") {}
