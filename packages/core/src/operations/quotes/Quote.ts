import { Schema } from "effect"
import { TransactionDraft, TransactionStatus } from "../../accounting/history/index.ts"
import { type JsonText, jsonText, Metadata, WalletAddress } from "../../foundation/primitives/index.ts"
import { StoredPrices } from "../../foundation/tokens/index.ts"
import { ProjectId } from "../../tenancy/projects/index.ts"
import { Intent } from "../intents/index.ts"
import { RevertReason } from "../user-operations/index.ts"

/** One planned stage of a quote's execution. */
export const PlannedStage = Schema.Struct({
  /** The name of an execution stage. */
  name: Schema.String,
  /** The index of the quote's intent that it executes; null if it executes none. */
  intent: Schema.NullOr(Schema.Int),
  /** The transaction's status during this stage. */
  status: TransactionStatus,
  /** The initial state of the stage, encoded by its codec; null in JSON if it is absent. */
  state: Schema.optionalKey(Schema.String)
})
export type PlannedStage = typeof PlannedStage.Type

/** A resource of the wallet besides its balances that a quote's operations change: a position, a loan. */
export const Use = Schema.Struct({
  /** Its name on the chain of the operations, readable in messages. */
  resource: Schema.String,
  /** False if it does not conflict with other shared uses, such as two deposits into one position. */
  isExclusive: Schema.Boolean,
  /** The stage with which the use ends; the inclusion of the operations if absent. */
  until: Schema.optionalKey(Schema.String)
})
export type Use = typeof Use.Type

/**
 * An offer to a wallet. It is stored complete and immutable, so the same response can be created from it again. Once
 * its intents are signed, it has all data for an execution.
 */
export const Quote = Schema.Struct({
  /** The hash of its operation, the id of its Bitcoin transaction, or any other text. */
  id: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256)),
  projectId: ProjectId,
  walletAddress: WalletAddress,
  /** The feature that created it. */
  kind: Schema.String,
  /** The feature's request, offer and results, encoded by its codec; null if the feature stores none. */
  content: Schema.NullOr(Schema.String),
  /** US dollars per whole token, scaled by 10^18, at the time of the quote. */
  prices: StoredPrices,
  /** The intents to sign, in order. */
  intents: Schema.Array(Intent),
  uses: Schema.Array(Use),
  /** The stages after its acceptance, in order. */
  stages: Schema.Array(PlannedStage),
  /** The draft of its transaction in the wallet's history. */
  transaction: TransactionDraft,
  /** Why its execution would have failed at the time of the quote; null if it would not. */
  revertReason: Schema.NullOr(RevertReason),
  metadata: Metadata,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc,
  /** The estimated time from acceptance to completion. */
  executionMs: Schema.Finite
})
export type Quote = typeof Quote.Type

/** Warnings for the signer, as sentences. */
export const Warnings = Schema.Array(Schema.String)

/** A kind of quotes: its name and the codec of its content. */
export interface QuoteKind<A> extends JsonText<A> {
  readonly kind: string
}

export const quoteKind = <A>(kind: string, content: Schema.Codec<A, unknown>): QuoteKind<A> => ({
  kind,
  ...jsonText(content)
})

/** All elements that the owner signs for a quote, in order. */
export const signDataOf = ({ intents }: Pick<Quote, "intents">) => intents.flatMap(({ signData }) => signData)
