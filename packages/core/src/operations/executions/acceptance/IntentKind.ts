import { Context, type DateTime, type Effect } from "effect"
import type { TransactionInBlock } from "../../../bitcoin/chain/index.ts"
import type { UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import type { HexBytes, WalletAddress } from "../../../foundation/primitives/index.ts"
import type { SignatureProblem, Signatures, SignData } from "../../../foundation/signing/index.ts"
import type { Intent } from "../../intents/index.ts"
import type { UnpaidGasLimit } from "../../losses/index.ts"
import type { PlannedStage, Quote } from "../../quotes/index.ts"
import type { AccountChanged, AuthorizationStale, QuoteStale } from "../../user-operations/index.ts"
import type { Funds, StageStart } from "../Executions.ts"
import type { Conflict } from "../reservation/conflict.ts"
import type { Shortage } from "../reservation/shortage.ts"

/** A quote whose signatures are those of its signers, before it is accepted. */
export interface Candidate<I extends Intent> {
  readonly quote: Quote
  /** All of the quote's intents of this type, in order. */
  readonly intents: readonly [I, ...ReadonlyArray<I>]
  readonly signatures: Signatures
  readonly acceptedAt: DateTime.Utc
}

/** Why a signed quote can't be accepted now. */
export type NotReady =
  | UnpaidGasLimit
  | AuthorizationStale
  | AccountChanged
  | QuoteStale
  | TransactionInBlock
  | UpstreamUnavailable

/** The balances of the wallet that must cover a quote beside what the wallet's other executions may still take. */
export interface Cover {
  readonly funds: Funds
  /** Reads the balances again: some of what was reserved may be in a block meanwhile. */
  readonly again: (obstacle: Shortage | Conflict) => Effect.Effect<Cover, QuoteStale | UpstreamUnavailable>
  /** The refusal of a quote that is not covered. */
  readonly refusal: (obstacle: Shortage | Conflict) => Effect.Effect<QuoteStale>
}

/** The result for intents that can be accepted. */
export interface Ready<I extends Intent> {
  /** How a stage about an intent begins; undefined where it begins as planned. */
  startOf?(stage: PlannedStage, intent: I): StageStart | undefined
  /** Null where they take nothing of a balance on chain. */
  readonly cover: Cover | null
}

/**
 * A type of intents: whose signature it takes, and what must hold when it is accepted. It is given intents of its own type
 * alone, so that kinds of different types stand in one list (hence methods).
 */
export interface IntentKind<I extends Intent = Intent> {
  readonly type: I["type"]
  /** The signer. */
  signerOf(intent: I, quote: Quote): WalletAddress
  /** The problem with the signature of an element of the intent; null where there is none. */
  signatureProblem(
    intent: I,
    element: SignData,
    signature: HexBytes
  ): Effect.Effect<SignatureProblem | null, UpstreamUnavailable>
  /** The problem with another signature than the one that was accepted; left out where every valid one gets the same answer. */
  repeatProblem?(intent: I, before: HexBytes, signature: HexBytes): SignatureProblem | null
  /** Fails unless the intents can be executed now. Stores and sends nothing. */
  makeReady(candidate: Candidate<I>): Effect.Effect<Ready<I>, NotReady>
}

/** Every type of intents that the service accepts. */
export class IntentKinds extends Context.Service<IntentKinds, ReadonlyArray<IntentKind>>()(
  "@countersign/core/executions/IntentKinds"
) {}
