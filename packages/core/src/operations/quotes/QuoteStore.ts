import { Context, type DateTime, Effect, type Option, Schema } from "effect"
import type { Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Quote } from "./Quote.ts"

/** Another request stored a quote with the same id first. The id has to be another one, so that both requests get a quote. */
export class QuoteExists extends Schema.TaggedError<QuoteExists>("core/quotes/QuoteExists")("QUOTE_EXISTS", {}) {}

const MOST_RETRIES = 5

/** Makes and stores a quote again, under another id, where a concurrent request has stored one with the same id. */
export const retryIfQuoteExists = <A, E, R>(
  effect: Effect.Effect<A, E | QuoteExists, R>
): Effect.Effect<A, Exclude<E, QuoteExists>, R> =>
  effect.pipe(
    Effect.retry({ times: MOST_RETRIES, while: (error) => error instanceof QuoteExists }),
    Effect.catch((error) =>
      error instanceof QuoteExists ? Effect.die(error) : Effect.fail(error as Exclude<E, QuoteExists>)
    )
  )

/** Where quotes are kept. */
export class QuoteStore extends Context.Service<
  QuoteStore,
  {
    /** All or none. Fails if the project has a quote with one of the ids. */
    readonly insert: (quotes: ReadonlyArray<Quote>) => Effect.Effect<void, QuoteExists>
    readonly find: (projectId: ProjectId, id: string) => Effect.Effect<Option.Option<Quote>>
    /** The quote that a user operation belongs to. */
    readonly findByOperation: (projectId: ProjectId, hash: Hash32) => Effect.Effect<Option.Option<Quote>>
    /** The same, of whichever project: for what is learned of an operation from the chain alone. */
    readonly findByOperationOfAny: (hash: Hash32) => Effect.Effect<Option.Option<Quote>>
    /** Quotes of a wallet, of whichever project, that nobody has accepted and that can still be signed. */
    readonly unsignedOf: (walletAddress: WalletAddress, now: DateTime.Utc) => Effect.Effect<ReadonlyArray<Quote>>
    /** Marks a quote as accepted, which keeps it for good. True for one caller alone, however many accept it at once. */
    readonly accept: (projectId: ProjectId, id: string, at: DateTime.Utc) => Effect.Effect<boolean>
  }
>()("@countersign/core/quotes/QuoteStore") {}
