import { Schema } from "effect"
import { TransactionDraft, TransactionStatus } from "../../accounting/history/index.ts"
import { type JsonText, jsonText, Metadata, WalletAddress } from "../../foundation/primitives/index.ts"
import { StoredPrices } from "../../foundation/tokens/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { Intent } from "../intents/index.ts"
import { RevertReason } from "../user-operations/index.ts"

/** One planned stage of a quote's execution. */
export const PlannedStage = Schema.Struct({
  /** The name of a stage that follows executions. */
  name: Schema.String,
  /** The intent that it brings about, by its place in the quote; null where it is about none. */
  intent: Schema.NullOr(Schema.Int),
  /** The transaction's status during this stage. */
  status: TransactionStatus,
  /** The start state of the stage, as text of its own codec; null in JSON where it is left out. */
  state: Schema.optionalKey(Schema.String)
})
export type PlannedStage = typeof PlannedStage.Type

/** Something of the wallet beside its balances that a quote's operations change: a position, a loan. */
export const Use = Schema.Struct({
  /** Its name on the chain of the operations, in words that a person reads too. */
  resource: Schema.String,
  /** False where others that do the same do not mind one another, as two that add to one position. */
  isExclusive: Schema.Boolean,
  /** The stage with which the use ends; the inclusion of the operations where it is left out. */
  until: Schema.optionalKey(Schema.String)
})
export type Use = typeof Use.Type

/**
 * An offer to a wallet. It is stored complete under its id, and never changed. The same answer can be made from it again.
 * Once its intents are signed, it has everything that an execution needs.
 */
export const Quote = Schema.Struct({
  /** The hash of its operation, the id of its Bitcoin transaction, or any other text. */
  id: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256)),
  projectId: ProjectId,
  walletAddress: WalletAddress,
  /** The feature that made it. */
  kind: Schema.String,
  /** The feature's request, offer and results: text of its own codec; null where the feature keeps none. */
  content: Schema.NullOr(Schema.String),
  /** US dollars for one whole token, scaled by 10^18, when it was quoted. */
  prices: StoredPrices,
  /** The intents to sign, in order. */
  intents: Schema.Array(Intent),
  uses: Schema.Array(Use),
  /** The stages after its acceptance, in order. */
  stages: Schema.Array(PlannedStage),
  /** The draft of its transaction in the wallet's history. */
  transaction: TransactionDraft,
  /** Why executing it would have failed when it was quoted; null where it would not. */
  revertReason: Schema.NullOr(RevertReason),
  metadata: Metadata,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc,
  /** From its acceptance until it should be done. */
  executionMs: Schema.Finite
})
export type Quote = typeof Quote.Type

/** Sentences that the signer should read besides the figures. */
export const Warnings = Schema.Array(Schema.String)

/** A kind of quotes: its name and the codec of its content. */
export interface QuoteKind<A> extends JsonText<A> {
  readonly kind: string
}

export const quoteKind = <A>(kind: string, content: Schema.Codec<A, unknown>): QuoteKind<A> => ({
  kind,
  ...jsonText(content)
})

/** All that the owner signs for a quote, in order. */
export const signDataOf = ({ intents }: Pick<Quote, "intents">) => intents.flatMap(({ signData }) => signData)
