import { Schema } from "effect"
import { detailsKind } from "../../accounting/history/index.ts"
import { CollectedFees, FeeCollectors } from "../../foundation/fees/index.ts"
import { Hash32 } from "../../foundation/primitives/index.ts"
import { Token } from "../../foundation/tokens/index.ts"
import { GasFee } from "../../operations/intents/index.ts"
import { type Quoted, quotedFields, quoteKind } from "../../operations/quotes/index.ts"
import { BitcoinSwapPreview } from "./BitcoinSwapPreview.ts"
import { Route, SkippedPool } from "./provider/Offer.ts"
import { SwapRequest } from "./SwapRequest.ts"

/** A provider that was asked: what it gave, or why it gave nothing, and how long it took. */
export const Candidate = Schema.Struct({
  provider: Schema.String,
  name: Schema.String,
  latencyMs: Schema.Finite,
  /** Base units of tokenOut. */
  amountOut: Schema.NullOr(Schema.BigInt),
  refusal: Schema.NullOr(Schema.String),
  /** The known pools of these tokens that it does not use. */
  skippedPools: Schema.Array(SkippedPool)
})
export type Candidate = typeof Candidate.Type

/** All of a swap that was computed for its quote. Amounts are in base units. */
export const SwapContent = Schema.Struct({
  ...quotedFields,
  request: Schema.toType(SwapRequest),
  tokens: Schema.Struct({ tokenIn: Token, tokenOut: Token, payGasFeeToken: Token }),
  provider: Schema.String,
  /** The amount of the request, fees included. */
  amountIn: Schema.BigInt,
  amountOut: Schema.BigInt,
  minAmountOut: Schema.BigInt,
  certainty: Schema.Literals(["EXACT", "FLOOR", "EXPECTED"]),
  route: Route,
  /** By how much the price is worse than the pools' before it: a share scaled by 10^18; null where it is not known. */
  priceImpactE18: Schema.NullOr(Schema.BigInt),
  /** How `amountIn` is divided, and who collects. */
  split: CollectedFees,
  collectors: FeeCollectors,
  /** Null where the swap is no user operation. */
  gas: Schema.NullOr(GasFee),
  candidates: Schema.Array(Candidate),
  /** The payment that swaps; absent where that is no payment on Bitcoin's chain. */
  bitcoin: Schema.optionalKey(BitcoinSwapPreview),
  /** The operation by which the wallet joins the allow-list of a token; absent where it need not. */
  joins: Schema.optionalKey(Hash32)
})
export type SwapContent = typeof SwapContent.Type

export const swapKind = quoteKind("SWAP", SwapContent)

/** A transaction's details of a swap: the id of the provider that made it. */
export const swapDetails = detailsKind("swapProvider", Schema.String)

export type SwapQuote = Quoted<SwapContent>
