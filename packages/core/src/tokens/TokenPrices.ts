import { Context, type Effect, Schema } from "effect"
import type { ByToken, TokenKey, TokenRef } from "./TokenKey.ts"

/** US dollars for one whole token, scaled by 10^18. */
export type UsdPriceE18 = bigint

/** Prices as they are stored with what was computed from them. */
export const StoredPrices = Schema.Record(Schema.String, Schema.BigInt)

export const storedPrices = (prices: ByToken<UsdPriceE18>): typeof StoredPrices.Type => Object.fromEntries(prices)

export const pricesOf = (stored: typeof StoredPrices.Type): ByToken<UsdPriceE18> =>
  new Map(Object.entries(stored) as Array<[TokenKey, UsdPriceE18]>)

/** Market prices. A token without a known price is missing from the answer: unknown is never zero. */
export class TokenPrices extends Context.Service<
  TokenPrices,
  {
    /** Tokens of several chains may be asked for at once. */
    readonly usd: (tokens: ReadonlyArray<TokenRef>) => Effect.Effect<ByToken<UsdPriceE18>>
  }
>()("@countersign/core/tokens/TokenPrices") {}
