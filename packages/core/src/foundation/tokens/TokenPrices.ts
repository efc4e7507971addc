import { Context, type Effect, Schema } from "effect"
import type { ByToken, TokenKey, TokenRef } from "./TokenKey.ts"

/** US dollars per token unit (not base unit), scaled by 10^18. */
export type UsdPriceE18 = bigint

/** Prices with which the values of a stored record were computed. */
export const StoredPrices = Schema.Record(Schema.String, Schema.BigInt)

export const storedPrices = (prices: ByToken<UsdPriceE18>): typeof StoredPrices.Type => Object.fromEntries(prices)

export const pricesOf = (storedRecord: typeof StoredPrices.Type): ByToken<UsdPriceE18> =>
  new Map(Object.entries(storedRecord) as Array<[TokenKey, UsdPriceE18]>)

/**
 * Source of a price.
 *
 * FEED: an oracle. DOLLAR: a US dollar token without an oracle, which is valued at one dollar. AVERAGE: the
 * time-weighted average price in the token's deepest pool. NOW: the spot price in that pool, which a single trade can
 * move.
 */
export type PriceSource = "FEED" | "DOLLAR" | "AVERAGE" | "NOW"

/** A token's price and its source. */
export interface TokenPrice {
  /** Price for valuations. */
  readonly usd: UsdPriceE18
  /**
   * Lowest and highest estimate, for calculations that must not pay or charge too much. They differ from `usd` only if
   * the price comes from a pool.
   */
  readonly low: UsdPriceE18
  readonly high: UsdPriceE18
  readonly source: PriceSource
  /** Spot price in the token's deepest pool. Null if there is no pool. */
  readonly inPool: UsdPriceE18 | null
}

/** Market prices. Tokens without a known price are omitted from the result, and never have the price zero. */
export class TokenPrices extends Context.Service<
  TokenPrices,
  {
    /** Returns the prices of tokens, which may be on different chains. */
    readonly findPrices: (tokens: ReadonlyArray<TokenRef>) => Effect.Effect<ByToken<TokenPrice>>
  }
>()("@countersign/core/tokens/TokenPrices") {}

/** Returns the prices for valuations. */
export const valuesOf = (prices: ByToken<TokenPrice>): ByToken<UsdPriceE18> =>
  new Map([...prices].map(([token, { usd }]) => [token, usd]))

/** Creates a price from an external report, such as an oracle's. */
export const reportedPrice = (usd: UsdPriceE18, inPool: UsdPriceE18 | null = null): TokenPrice => ({
  usd,
  low: usd,
  high: usd,
  source: "FEED",
  inPool
})
