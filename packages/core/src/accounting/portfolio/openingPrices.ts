import { DateTime, Effect } from "effect"
import type { ByToken, UsdPriceE18 } from "../../foundation/tokens/index.ts"
import type { PastPrices } from "../market-data/index.ts"
import type { MovedToken } from "./movedTokens.ts"
import { pricesWithTimeout } from "./pricesWithTimeout.ts"

/** Reads the prices at the start of a period, for tokens that moved before it. */
export const openingPrices = Effect.fnUntraced(function* (
  movedTokenList: ReadonlyArray<MovedToken>,
  fromMs: number
): Effect.fn.Return<ByToken<UsdPriceE18>, never, PastPrices> {
  const tokensMovedBefore = movedTokenList.filter(({ movements }) => movements.some(({ atMs }) => atMs < fromMs))
  const pricesAtStart = yield* pricesWithTimeout(
    tokensMovedBefore.map(({ token }) => ({ token, ats: [DateTime.makeUnsafe(fromMs)] }))
  )
  return new Map([...pricesAtStart].flatMap(([key, [price]]) => (price == null ? [] : [[key, price] as const])))
})
