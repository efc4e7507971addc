import { Context, type DateTime, Effect, type Option, Schema } from "effect"
import type { Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Quote } from "./Quote.ts"

/**
 * A concurrent request has stored a quote with the same id. After a retry with a different id, both requests have a
 * quote.
 */
export class QuoteExists extends Schema.TaggedError<QuoteExists>("core/quotes/QuoteExists")("QUOTE_EXISTS", {}) {}

const MAX_RETRIES = 5

/**
 * Creates the quote again, with another id, if a concurrent request has stored a quote with the same id. Retries at
 * most `MAX_RETRIES` times.
 */
export const retryIfQuoteExists = <A, E, R>(
  effect: Effect.Effect<A, E | QuoteExists, R>
): Effect.Effect<A, Exclude<E, QuoteExists>, R> =>
  effect.pipe(
    Effect.retry({ times: MAX_RETRIES, while: (error) => error instanceof QuoteExists }),
    Effect.catch((error) =>
      error instanceof QuoteExists ? Effect.die(error) : Effect.fail(error as Exclude<E, QuoteExists>)
    )
  )

/** Stores quotes. */
export class QuoteStore extends Context.Service<
  QuoteStore,
  {
    /** Stores all quotes or none of them. Fails if the project already has a quote with one of the ids. */
    readonly insert: (quotes: ReadonlyArray<Quote>) => Effect.Effect<void, QuoteExists>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<Quote>>
    /** Finds the quote of a user operation. */
    readonly findByOperation: (projectId: ProjectId, hash: Hash32) => Effect.Effect<Option.Option<Quote>>
    /** Finds the quote of a user operation in any project. Used for operations that were detected on-chain. */
    readonly findByOperationInAnyProject: (hash: Hash32) => Effect.Effect<Option.Option<Quote>>
    /** Returns the wallet's quotes, in all projects, that can still be signed and are not accepted. */
    readonly listUnsigned: (walletAddress: WalletAddress, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Quote>>
    /**
     * Marks a quote as accepted, so that it is not deleted after its expiry. Returns true to only one of all concurrent
     * callers.
     */
    readonly accept: (projectId: ProjectId, id: string, at: DateTime.Utc) => Effect.Effect<boolean>
  }
>()("@countersign/core/quotes/QuoteStore") {}
