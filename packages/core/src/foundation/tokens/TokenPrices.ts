import { Context, type Effect, Schema } from "effect"
import type { ByToken, TokenKey, TokenRef } from "./TokenKey.ts"

/** US dollars for one whole token, scaled by 10^18. */
export type UsdPriceE18 = bigint

/** Prices as they are stored with what was computed from them. */
export const StoredPrices = Schema.Record(Schema.String, Schema.BigInt)

export const storedPrices = (prices: ByToken<UsdPriceE18>): typeof StoredPrices.Type => Object.fromEntries(prices)

export const pricesOf = (stored: typeof StoredPrices.Type): ByToken<UsdPriceE18> =>
  new Map(Object.entries(stored) as Array<[TokenKey, UsdPriceE18]>)

/**
 * Where a price is from. FEED: an oracle's report. DOLLAR: a dollar token without a report is one dollar. AVERAGE: the
 * token's deepest pool over time. NOW: that pool at this moment, which a single trade can move.
 */
export type PriceSource = "FEED" | "DOLLAR" | "AVERAGE" | "NOW"

/** A token's price and its sources. */
export interface TokenPrice {
  /** The price that amounts are valued with. */
  readonly usd: UsdPriceE18
  /** The least and the most that it may be for all that is known: for who must not give away, or take, too much. */
  readonly low: UsdPriceE18
  readonly high: UsdPriceE18
  readonly source: PriceSource
  /** The price in the token's deepest pool now; null where there is none. */
  readonly inPool: UsdPriceE18 | null
}

/** Market prices. A token without a known price is missing from the answer: unknown is never zero. */
export class TokenPrices extends Context.Service<
  TokenPrices,
  {
    /** Tokens of several chains may be asked for at once. */
    readonly known: (tokens: ReadonlyArray<TokenRef>) => Effect.Effect<ByToken<TokenPrice>>
  }
>()("@countersign/core/tokens/TokenPrices") {}

/** The prices that amounts are valued with. */
export const valuesOf = (prices: ByToken<TokenPrice>): ByToken<UsdPriceE18> =>
  new Map([...prices].map(([token, { usd }]) => [token, usd]))

/** A price that is the same for everybody, such as an oracle's. */
export const reportedPrice = (usd: UsdPriceE18, inPool: UsdPriceE18 | null = null): TokenPrice => ({
  usd,
  low: usd,
  high: usd,
  source: "FEED",
  inPool
})
