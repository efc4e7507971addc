import { Context, type DateTime, Effect, type Option, Schema } from "effect"
import type { Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Quote } from "./Quote.ts"

/**
 * A concurrent request has stored a quote with the same id. The id must be different, so that both requests get a
 * quote.
 */
export class QuoteExists extends Schema.TaggedError<QuoteExists>("core/quotes/QuoteExists")("QUOTE_EXISTS", {}) {}

const MOST_RETRIES = 5

/** Repeats the creation of a quote, with another id, if a concurrent request has stored one with the same id. */
export const retryIfQuoteExists = <A, E, R>(
  effect: Effect.Effect<A, E | QuoteExists, R>
): Effect.Effect<A, Exclude<E, QuoteExists>, R> =>
  effect.pipe(
    Effect.retry({ times: MOST_RETRIES, while: (error) => error instanceof QuoteExists }),
    Effect.catch((error) =>
      error instanceof QuoteExists ? Effect.die(error) : Effect.fail(error as Exclude<E, QuoteExists>)
    )
  )

/** Stores quotes. */
export class QuoteStore extends Context.Service<
  QuoteStore,
  {
    /** Stores all quotes or none. Fails if the project has a quote with one of the ids. */
    readonly insert: (quotes: ReadonlyArray<Quote>) => Effect.Effect<void, QuoteExists>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<Quote>>
    /** The quote of a user operation. */
    readonly findByOperation: (projectId: ProjectId, hash: Hash32) => Effect.Effect<Option.Option<Quote>>
    /** The same in any project: for operations that were detected on-chain. */
    readonly findByOperationOfAny: (hash: Hash32) => Effect.Effect<Option.Option<Quote>>
    /** Quotes of a wallet, in any project, that are not accepted and can still be signed. */
    readonly unsignedOf: (walletAddress: WalletAddress, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Quote>>
    /** Marks a quote as accepted, so that it is not removed after its expiry. Of all concurrent callers, one gets true. */
    readonly accept: (projectId: ProjectId, id: string, at: DateTime.Utc) => Effect.Effect<boolean>
  }
>()("@countersign/core/quotes/QuoteStore") {}
