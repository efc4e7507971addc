import { Context, type DateTime, type Effect } from "effect"
import type { TransactionInBlock } from "../../../bitcoin/chain/index.ts"
import type { UpstreamUnavailable } from "../../../foundation/errors/index.ts"
import type { HexBytes, WalletAddress } from "../../../foundation/primitives/index.ts"
import type { SignatureProblem, Signatures, SignData } from "../../../foundation/signing/index.ts"
import type { Intent } from "../../intents/index.ts"
import type { PlannedStage, Quote } from "../../quotes/index.ts"
import type { UnpaidGasLimit } from "../../unpaid-gas/index.ts"
import type { AccountChanged, AuthorizationStale, QuoteStale } from "../../user-operations/index.ts"
import type { Funds, StageStart } from "../Executions.ts"
import type { Conflict } from "../reservation/conflict.ts"
import type { Shortage } from "../reservation/shortage.ts"

/** A quote with verified signatures that is not accepted yet. */
export interface Candidate<I extends Intent> {
  readonly quote: Quote
  /** All intents of this type in the quote, in order. */
  readonly intents: readonly [I, ...ReadonlyArray<I>]
  readonly signatures: Signatures
  readonly acceptedAt: DateTime.Utc
}

/** The reasons why a signed quote can't be accepted now. */
export type NotReady =
  | UnpaidGasLimit
  | AuthorizationStale
  | AccountChanged
  | QuoteStale
  | TransactionInBlock
  | UpstreamUnavailable

/** The wallet's balances. They must cover the quote, and everything that other executions may still spend. */
export interface WalletBalances {
  readonly funds: Funds
  /** Reads the balances again, because reserved operations may have been included in the meantime. */
  readonly refresh: (reason: Shortage | Conflict) => Effect.Effect<WalletBalances, QuoteStale | UpstreamUnavailable>
  /** Builds the error for a quote that the balances do not cover. */
  readonly refusal: (reason: Shortage | Conflict) => Effect.Effect<QuoteStale>
}

/** The result for intents that can be accepted. */
export interface AcceptableIntent<I extends Intent> {
  /** Returns the initial state of a stage for an intent. If undefined, the state in the quote is used. */
  startOf?(stage: PlannedStage, intent: I): StageStart | undefined
  /** Null if the intents spend no on-chain balance. */
  readonly cover: WalletBalances | null
  /** Fails if the intents conflict with a pending execution. Runs in the unit of work that stores the acceptance. */
  readonly requireNoConflict?: Effect.Effect<void, QuoteStale>
}

/**
 * Verifies and prepares the intents of one type before their acceptance. The functions are methods, so that values for
 * different intent types fit in one list.
 */
export interface IntentKind<I extends Intent = Intent> {
  readonly type: I["type"]
  /** Returns the address that must sign the intent. */
  signerOf(intent: I, quote: Quote): WalletAddress
  /** Returns the problem with the signature of an element of the intent. Null if there is none. */
  signatureProblem(
    intent: I,
    element: SignData,
    signature: HexBytes
  ): Effect.Effect<SignatureProblem | null, UpstreamUnavailable>
  /**
   * Returns the problem with a repeated request that contains a different signature. Absent if every valid signature is
   * accepted.
   */
  repeatProblem?(intent: I, before: HexBytes, signature: HexBytes): SignatureProblem | null
  /** Fails if the intents can't be executed now. Stores and sends nothing. */
  makeReady(candidate: Candidate<I>): Effect.Effect<AcceptableIntent<I>, NotReady>
}

/** The handlers of all supported intent types. */
export class IntentKinds extends Context.Service<IntentKinds, ReadonlyArray<IntentKind>>()(
  "@countersign/core/executions/IntentKinds"
) {}
