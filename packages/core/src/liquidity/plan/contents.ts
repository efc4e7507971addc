import { listedFees } from "../../fees/index.ts"
import { contentOfPrepared, gasFeeOf, type Prepared } from "../../quotes/index.ts"
import type { QuotedPrices } from "../../tokens/index.ts"
import type { Placement } from "../LiquidityMarket.ts"
import type { YieldOf } from "../LiquidityYields.ts"
import type { DepositOrder, DepositPlan } from "./depositPlan.ts"
import { named } from "./expected.ts"
import type { NamedPair } from "./poolPrices.ts"

/** A placement as an answer tells of it. */
export const placementContent = (
  { amounts, leftovers, liquidity, pool, priceImpactE18, range }: Placement,
  { isInOrder }: NamedPair
) => ({
  pool: pool.address,
  feePips: pool.feePips,
  isReversed: !isInOrder,
  tickLower: range.tickLower,
  tickUpper: range.tickUpper,
  amounts: named(isInOrder, amounts),
  leftovers: named(isInOrder, leftovers),
  liquidity,
  priceImpactE18
})

/** All of a deposit but its request. */
export const depositContent = (
  { amountIn, collectors, request, tokens }: DepositOrder,
  prepared: Prepared<DepositPlan>,
  prices: QuotedPrices,
  pair: NamedPair,
  warnings: ReadonlyArray<string>,
  yieldOf: YieldOf
) => {
  const { deposit, split } = prepared.operation.plan
  const { forToken0, forToken1 } = deposit
  return {
    ...contentOfPrepared(prepared, prices),
    ...placementContent(deposit, pair),
    warnings: [...prices.warnings, ...warnings],
    collectors,
    tokens: { token0: pair.token0, token1: pair.token1, ...tokens },
    amountIn,
    split,
    forToken0: pair.isInOrder ? forToken0 : forToken1,
    forToken1: pair.isInOrder ? forToken1 : forToken0,
    estimatedApr: yieldOf({ ...deposit, isInPool: false }),
    fees: [gasFeeOf(prepared.gas, prepared.intent), ...listedFees(tokens.tokenIn, split, request, collectors)]
  }
}
