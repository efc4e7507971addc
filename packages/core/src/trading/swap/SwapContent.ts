import { Schema } from "effect"
import { detailsKind } from "../../accounting/history/index.ts"
import { CollectedFees, FeeCollectors } from "../../foundation/fees/index.ts"
import { Hash32 } from "../../foundation/primitives/index.ts"
import { Token } from "../../foundation/tokens/index.ts"
import { GasFee } from "../../operations/intents/index.ts"
import { type DecodedQuote, quotedFields, quoteKind } from "../../operations/quotes/index.ts"
import { BitcoinSwapPreview } from "./BitcoinSwapPreview.ts"
import { Route, SkippedPool } from "./provider/Offer.ts"
import { SwapRequest } from "./SwapRequest.ts"

/** The result of one queried provider: its output, or the reason why it made no offer, and its latency. */
export const Candidate = Schema.Struct({
  provider: Schema.String,
  name: Schema.String,
  latencyMs: Schema.Finite,
  /** The output in base units of `tokenOut`. Null if the provider made no offer. */
  amountOut: Schema.NullOr(Schema.BigInt),
  refusal: Schema.NullOr(Schema.String),
  /** Pools of the token pair that the provider found but does not use. */
  skippedPools: Schema.Array(SkippedPool)
})
export type Candidate = typeof Candidate.Type

/** The content of a swap quote. Amounts are in base units. */
export const SwapContent = Schema.Struct({
  ...quotedFields,
  request: Schema.toType(SwapRequest),
  tokens: Schema.Struct({ tokenIn: Token, tokenOut: Token, payGasFeeToken: Token }),
  provider: Schema.String,
  /** The requested amount, including fees. */
  amountIn: Schema.BigInt,
  amountOut: Schema.BigInt,
  minAmountOut: Schema.BigInt,
  certainty: Schema.Literals(["EXACT", "FLOOR", "EXPECTED"]),
  route: Route,
  /** The price impact relative to the pools' prices before the swap, as a fraction scaled by 10^18. Null if unknown. */
  priceImpactE18: Schema.NullOr(Schema.BigInt),
  /** The split of `amountIn` into fees and net amount, with the fee recipients. */
  split: CollectedFees,
  collectors: FeeCollectors,
  /** Null if the swap is not a user operation. */
  gas: Schema.NullOr(GasFee),
  candidates: Schema.Array(Candidate),
  /** The Bitcoin payment of the swap. Absent for swaps from other chains, and if the wallet's balance is too low. */
  bitcoin: Schema.optionalKey(BitcoinSwapPreview),
  /** The hash of the operation that adds the wallet to a token's allowlist. Absent if it is not needed. */
  joins: Schema.optionalKey(Hash32)
})
export type SwapContent = typeof SwapContent.Type

export const swapKind = quoteKind("SWAP", SwapContent)

/** The `details` of a swap transaction: the provider's id. */
export const swapDetails = detailsKind("swapProvider", Schema.String)

export type SwapQuote = DecodedQuote<SwapContent>
