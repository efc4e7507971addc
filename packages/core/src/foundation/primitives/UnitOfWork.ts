import { Context, type Effect } from "effect"

/**
 * A database transaction: either everything that an effect stores is committed, or nothing. Nested units join the outer
 * one: their writes are committed with it, and a failed nested unit rolls back only its own writes.
 */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  { readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
>()("@countersign/core/primitives/UnitOfWork") {}
