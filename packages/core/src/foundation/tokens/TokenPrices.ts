import { Context, type Effect, Schema } from "effect"
import type { ByToken, TokenKey, TokenRef } from "./TokenKey.ts"

/** US dollars per whole token, scaled by 10^18. */
export type UsdPriceE18 = bigint

/** The prices from which a stored record's values were computed. */
export const StoredPrices = Schema.Record(Schema.String, Schema.BigInt)

export const storedPrices = (prices: ByToken<UsdPriceE18>): typeof StoredPrices.Type => Object.fromEntries(prices)

export const pricesOf = (stored: typeof StoredPrices.Type): ByToken<UsdPriceE18> =>
  new Map(Object.entries(stored) as Array<[TokenKey, UsdPriceE18]>)

/**
 * The source of a price.
 *
 * FEED: an oracle. DOLLAR: a US dollar token without an oracle, which is treated as one dollar. AVERAGE: the
 * time-weighted average price of the token's deepest pool. NOW: the spot price of that pool, which a single trade can
 * move.
 */
export type PriceSource = "FEED" | "DOLLAR" | "AVERAGE" | "NOW"

/** A token's price and its sources. */
export interface TokenPrice {
  /** The price for valuations. */
  readonly usd: UsdPriceE18
  /** The lowest and highest price of all sources. Calculations that must not pay or charge too much use them. */
  readonly low: UsdPriceE18
  readonly high: UsdPriceE18
  readonly source: PriceSource
  /** The spot price in the token's deepest pool; null without a pool. */
  readonly inPool: UsdPriceE18 | null
}

/** Market prices. The result omits tokens without a known price. It never uses zero for an unknown price. */
export class TokenPrices extends Context.Service<
  TokenPrices,
  {
    /** The prices of tokens, which may be on different chains. */
    readonly known: (tokens: ReadonlyArray<TokenRef>) => Effect.Effect<ByToken<TokenPrice>>
  }
>()("@countersign/core/tokens/TokenPrices") {}

/** The prices for valuations. */
export const valuesOf = (prices: ByToken<TokenPrice>): ByToken<UsdPriceE18> =>
  new Map([...prices].map(([token, { usd }]) => [token, usd]))

/** A price from an external report, such as an oracle's. */
export const reportedPrice = (usd: UsdPriceE18, inPool: UsdPriceE18 | null = null): TokenPrice => ({
  usd,
  low: usd,
  high: usd,
  source: "FEED",
  inPool
})
