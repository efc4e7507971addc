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

/** A quote with verified signatures, before it is accepted. */
export interface Candidate<I extends Intent> {
  readonly quote: Quote
  /** All intents of this type in the quote, in order. */
  readonly intents: readonly [I, ...ReadonlyArray<I>]
  readonly signatures: Signatures
  readonly acceptedAt: DateTime.Utc
}

/** Why a signed quote cannot be accepted now. */
export type NotReady =
  | UnpaidGasLimit
  | AuthorizationStale
  | AccountChanged
  | QuoteStale
  | TransactionInBlock
  | UpstreamUnavailable

/** The wallet's balances, which must cover a quote beside what other executions may still spend. */
export interface Cover {
  readonly funds: Funds
  /** Reads the balances again, because reserved operations may be in a block meanwhile. */
  readonly again: (obstacle: Shortage | Conflict) => Effect.Effect<Cover, QuoteStale | UpstreamUnavailable>
  /** The rejection of a quote that is not covered. */
  readonly refusal: (obstacle: Shortage | Conflict) => Effect.Effect<QuoteStale>
}

/** The result for intents that can be accepted. */
export interface Ready<I extends Intent> {
  /** How a stage of an intent begins; undefined if it begins as planned. */
  startOf?(stage: PlannedStage, intent: I): StageStart | undefined
  /** Null if they spend no on-chain balance. */
  readonly cover: Cover | null
}

/**
 * A type of intents: its signer, and the conditions of its acceptance. It only receives intents of its own type, so
 * that different kinds fit in one list (which needs method syntax).
 */
export interface IntentKind<I extends Intent = Intent> {
  readonly type: I["type"]
  /** The signer. */
  signerOf(intent: I, quote: Quote): WalletAddress
  /** The problem with the signature of an element of the intent; null if there is none. */
  signatureProblem(
    intent: I,
    element: SignData,
    signature: HexBytes
  ): Effect.Effect<SignatureProblem | null, UpstreamUnavailable>
  /** The problem with another signature than the accepted one; absent if every valid signature gets the same result. */
  repeatProblem?(intent: I, before: HexBytes, signature: HexBytes): SignatureProblem | null
  /** Fails unless the intents can be executed now. Stores and sends nothing. */
  makeReady(candidate: Candidate<I>): Effect.Effect<Ready<I>, NotReady>
}

/** All supported intent types. */
export class IntentKinds extends Context.Service<IntentKinds, ReadonlyArray<IntentKind>>()(
  "@countersign/core/executions/IntentKinds"
) {}
