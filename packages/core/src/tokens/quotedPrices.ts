import { Effect } from "effect"
import type { ChainId } from "../chains/index.ts"
import { NATIVE_COIN } from "../primitives/index.ts"
import { priceWarnings } from "./priceWarnings.ts"
import type { Token } from "./Token.ts"
import type { ByToken } from "./TokenKey.ts"
import { type TokenPrices, type UsdPriceE18, valuesOf } from "./TokenPrices.ts"

/** The prices that a quote is computed with, and what is to be said of them. */
export interface QuotedPrices {
  readonly usd: ByToken<UsdPriceE18>
  readonly warnings: ReadonlyArray<string>
}

/** Prices of a quote's tokens, and of the coin of the chain that it is executed on. */
export const quotedPrices = (
  prices: TokenPrices["Service"],
  chainId: ChainId,
  tokens: ReadonlyArray<Token>
): Effect.Effect<QuotedPrices> =>
  Effect.map(prices.known([...tokens, { chainId, address: NATIVE_COIN }]), (known) => ({
    usd: valuesOf(known),
    warnings: priceWarnings(tokens, known)
  }))
