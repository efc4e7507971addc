import { Context, Result } from "effect"
import { BadRequest } from "../../../foundation/errors/index.ts"
import { decimalFromBaseUnits } from "../../../foundation/primitives/index.ts"
import type { QuotedPrices } from "../../../foundation/tokens/index.ts"
import { type DisplayPair, marketDistanceE18 } from "./poolPrices.ts"

export interface LiquiditySettings {
  /**
   * A quote contains a warning if its price impact, or its deviation from the market price, is above this percentage.
   */
  readonly warnPriceImpactPercent: number
  /** A quote with a higher percentage is rejected, unless the request accepts it. */
  readonly maxPriceImpactPercent: number
}

/** The operator's limits for the price impact of liquidity operations. */
export const LiquiditySettings = Context.Reference<LiquiditySettings>("@countersign/core/liquidity/LiquiditySettings", {
  defaultValue: () => ({ warnPriceImpactPercent: 3, maxPriceImpactPercent: 15 })
})

const percentText = (shareE18: bigint): string => decimalFromBaseUnits(shareE18 / 10n ** 14n, 2)

interface Costs {
  /** The price impact of the operation's swaps, as a fraction scaled by 10^18. */
  readonly priceImpactE18: bigint
  /** The pool prices at which liquidity is added or removed, as Q64.96 square roots. */
  readonly sqrtPricesX96: ReadonlyArray<bigint>
  readonly pair: DisplayPair
}

/**
 * Returns the warnings of a quote with these costs. Fails if the costs exceed the limit and the request does not accept
 * them. `path` is the request field that the error names.
 */
export const checkCosts = (
  { pair, priceImpactE18, sqrtPricesX96 }: Costs,
  prices: QuotedPrices,
  { maxPriceImpactPercent, warnPriceImpactPercent }: LiquiditySettings,
  { acceptPriceImpact }: { readonly acceptPriceImpact: boolean },
  path: string
): Result.Result<ReadonlyArray<string>, BadRequest> => {
  const percentE18 = (percent: number): bigint => BigInt(Math.round(percent * 1e6)) * 10n ** 10n
  const distanceE18 = marketDistanceE18(sqrtPricesX96, pair, prices.usd) ?? 0n
  const costSentences = [
    { share: priceImpactE18, sentence: `Swapping this amount has a price impact of ${percentText(priceImpactE18)} %.` },
    {
      share: distanceE18,
      sentence: `The pool price differs by ${percentText(distanceE18)} % from the market price. A trader who moves it back gains the difference from the pool's positions.`
    }
  ].filter(({ share }) => share > percentE18(warnPriceImpactPercent))
  const exceededCost = costSentences.find(({ share }) => share > percentE18(maxPriceImpactPercent))
  return exceededCost !== undefined && !acceptPriceImpact
    ? Result.fail(
        BadRequest.of(
          path,
          "price_impact",
          `${exceededCost.sentence} The limit is ${maxPriceImpactPercent} %. Set acceptPriceImpact to exceed this limit.`
        )
      )
    : Result.succeed([...prices.warnings, ...costSentences.map(({ sentence }) => sentence)])
}
