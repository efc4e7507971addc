import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Hash32, WalletAddress } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import type { Quote } from "./Quote.ts"

/** Where quotes are kept. */
export class QuoteStore extends Context.Service<
  QuoteStore,
  {
    /** All or none. */
    readonly insert: (quotes: ReadonlyArray<Quote>) => Effect.Effect<void>
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
