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
  /** The index of the intent that the stage executes. Null if it executes no intent. */
  intent: Schema.NullOr(Schema.Int),
  /** The transaction's status during this stage. */
  status: TransactionStatus,
  /** The initial state of the stage, encoded by its codec. If absent, the state is JSON `null`. */
  state: Schema.optionalKey(Schema.String)
})
export type PlannedStage = typeof PlannedStage.Type

/** A resource of the wallet that a quote's operations change, such as a position or a loan. Balances are not uses. */
export const Use = Schema.Struct({
  /** The name of the resource as shown in messages, unique on the chain of the operations. */
  resource: Schema.String,
  /** False for a shared use, which does not conflict with other shared uses, such as a deposit into a position. */
  isExclusive: Schema.Boolean,
  /** The name of the stage at whose end the use ends. If absent, the use ends when the operations are included. */
  until: Schema.optionalKey(Schema.String)
})
export type Use = typeof Use.Type

/**
 * An offer to a wallet. The stored record is complete and immutable, so the same response can be created again.
 * Together with the signatures, it contains all data for the execution.
 */
export const Quote = Schema.Struct({
  /** The hash of the operation, the txid of the Bitcoin transaction, or another text. */
  id: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256)),
  projectId: ProjectId,
  walletAddress: WalletAddress,
  /** The feature that created the quote. */
  kind: Schema.String,
  /** The feature's data: request, offer and results, encoded by its codec. Null if the feature stores no data. */
  content: Schema.NullOr(Schema.String),
  /** US dollars per token unit (not base unit), scaled by 10^18, at the time of the quote. */
  prices: StoredPrices,
  /** The intents to sign, in order. */
  intents: Schema.Array(Intent),
  uses: Schema.Array(Use),
  /** The stages after the acceptance, in order. */
  stages: Schema.Array(PlannedStage),
  /** The draft of the transaction in the wallet's history. */
  transaction: TransactionDraft,
  /**
   * Why the execution would have failed at the time of the quote. Null if the simulation succeeded, or if nothing was
   * simulated.
   */
  revertReason: Schema.NullOr(RevertReason),
  metadata: Metadata,
  createdAt: Schema.DateTimeUtc,
  expiresAt: Schema.DateTimeUtc,
  /** Estimated milliseconds from acceptance to completion. */
  executionMs: Schema.Finite
})
export type Quote = typeof Quote.Type

/** Warnings for the signer, as sentences. */
export const Warnings = Schema.Array(Schema.String)

/** A quote type, with the codec of its content. */
export interface QuoteKind<A> extends JsonText<A> {
  readonly kind: string
}

export const quoteKind = <A>(kind: string, content: Schema.Codec<A, unknown>): QuoteKind<A> => ({
  kind,
  ...jsonText(content)
})

/** Returns all elements that the owner signs for a quote, in order. */
export const signDataOf = ({ intents }: Pick<Quote, "intents">) => intents.flatMap(({ signData }) => signData)
