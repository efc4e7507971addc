import type { Placement } from "../LiquidityMarket.ts"
import type { DisplayPair } from "./poolPrices.ts"

/** Returns both amounts in the token order of the response. */
const orderedAmounts = <A>(isInOrder: boolean, { amount0, amount1 }: { readonly amount0: A; readonly amount1: A }) =>
  isInOrder ? { amount0, amount1 } : { amount0: amount1, amount1: amount0 }

/** Converts a placement to the token order of the response. */
export const placementContent = (
  { amounts, leftovers, liquidity, pool, priceImpactE18, range }: Placement,
  { isInOrder }: DisplayPair
) => ({
  pool: pool.address,
  feePips: pool.feePips,
  isReversed: !isInOrder,
  tickLower: range.tickLower,
  tickUpper: range.tickUpper,
  amounts: orderedAmounts(isInOrder, amounts),
  leftovers: orderedAmounts(isInOrder, leftovers),
  liquidity,
  priceImpactE18
})
