import { Effect } from "effect"
import type { ChainId } from "../chains/index.ts"
import { NATIVE_TOKEN } from "../primitives/index.ts"
import type { Token } from "./Token.ts"
import { type ByToken, tokenKey } from "./TokenKey.ts"
import { type TokenPrice, type TokenPrices, type UsdPriceE18, valuesOf } from "./TokenPrices.ts"

/**
 * If a pool's price deviates from the used price by more than this, the quote contains a warning. In basis points (5
 * %).
 */
const NOTABLE_BASIS_POINTS = 500n

/**
 * Returns how far a pool's price is above the used price (negative if below), in basis points, rounded towards zero.
 */
const distanceRoundingDown = (poolPrice: bigint, usedPrice: bigint): bigint =>
  ((poolPrice - usedPrice) * 10_000n) / usedPrice

const percentText = (basisPoints: bigint): string => {
  const tenths = (basisPoints < 0n ? -basisPoints : basisPoints) / 10n
  return `${tenths / 10n}.${tenths % 10n} %`
}

const sourceText: Readonly<Record<TokenPrice["source"], string>> = {
  FEED: "an oracle's price",
  DOLLAR: "one dollar",
  AVERAGE: "the pool's time-weighted average price",
  NOW: "the pool's spot price"
}

const warningOf = ({ symbol }: Token, { inPool, source, usd }: TokenPrice): string | null => {
  if (source === "NOW") {
    return `The only known price of ${symbol} is the spot price of one pool, which a single trade can move.`
  }
  if (inPool === null || usd === 0n) return null
  const deviationBps = distanceRoundingDown(inPool, usd)
  return deviationBps < -NOTABLE_BASIS_POINTS || deviationBps > NOTABLE_BASIS_POINTS
    ? `The price of ${symbol} in its deepest pool is ${percentText(deviationBps)} ${deviationBps > 0n ? "above" : "below"} ${sourceText[source]}, from which values and gas are computed.`
    : null
}

/** Returns the warnings about the prices of a quote, at most one per token. */
const priceWarnings = (tokens: ReadonlyArray<Token>, prices: ByToken<TokenPrice>): ReadonlyArray<string> => [
  ...new Set(
    tokens.flatMap((token) => {
      const price = prices.get(tokenKey(token))
      return price === undefined ? [] : (warningOf(token, price) ?? [])
    })
  )
]

/** The prices with which a quote is computed, and warnings about them. */
export interface QuotedPrices {
  readonly usd: ByToken<UsdPriceE18>
  readonly warnings: ReadonlyArray<string>
}

/** Returns the prices of a quote's tokens, and of the native token of the chain that executes it. */
export const quotedPrices = (
  prices: TokenPrices["Service"],
  chainId: ChainId,
  tokens: ReadonlyArray<Token>
): Effect.Effect<QuotedPrices> =>
  Effect.map(prices.findPrices([...tokens, { chainId, address: NATIVE_TOKEN }]), (tokenPrices) => ({
    usd: valuesOf(tokenPrices),
    warnings: priceWarnings(tokens, tokenPrices)
  }))
