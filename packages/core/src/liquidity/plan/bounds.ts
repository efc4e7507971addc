import { Context } from "effect"
import { BadRequest } from "../../errors/index.ts"
import { decimalFromBaseUnits, type Ratio } from "../../primitives/index.ts"

export interface LiquiditySettings {
  /** Percent of price impact, or of distance from the market, above which a quote has a warning. */
  readonly warnPriceImpactPercent: number
  /** Percent above which nothing is prepared, unless the request accepts it. */
  readonly maxPriceImpactPercent: number
}

/** What operations on liquidity may cost by themselves: set by the operator. */
export const LiquiditySettings = Context.Reference<LiquiditySettings>("@countersign/core/liquidity/LiquiditySettings", {
  defaultValue: () => ({ warnPriceImpactPercent: 3, maxPriceImpactPercent: 15 })
})

const ONE_E18 = 10n ** 18n

const percentText = (shareE18: bigint): string => decimalFromBaseUnits(shareE18 / 10n ** 14n, 2)

/** By how much a price differs from another, as a share of the smaller, scaled by 10^18. Rounded up. */
export const distanceE18RoundingUp = (a: Ratio, b: Ratio): bigint => {
  const [x, y] = [a.numerator * b.denominator, b.numerator * a.denominator]
  const [smaller, larger] = x < y ? [x, y] : [y, x]
  return smaller === 0n ? ONE_E18 : ((larger - smaller) * ONE_E18 + smaller - 1n) / smaller
}

export interface Costs {
  /** A share scaled by 10^18. */
  readonly priceImpactE18: bigint
  /** How far the pool's price is from the market's when liquidity goes in or out, scaled by 10^18; null where the market's is not known. */
  readonly distanceE18: bigint | null
}

/** What to warn of, or the refusal of what costs more than it may. */
export const boundedCosts = (
  { distanceE18, priceImpactE18 }: Costs,
  { maxPriceImpactPercent, warnPriceImpactPercent }: LiquiditySettings,
  isAccepted: boolean,
  path: string
): ReadonlyArray<string> | BadRequest => {
  const percentE18 = (percent: number): bigint => BigInt(Math.round(percent * 1e6)) * 10n ** 10n
  const found = [
    { share: priceImpactE18, sentence: `Swapping this much worsens its price by ${percentText(priceImpactE18)} %.` },
    {
      share: distanceE18 ?? 0n,
      sentence: `The pool's price is ${percentText(distanceE18 ?? 0n)} % away from the market's where liquidity goes in or out: whoever brings it back takes that from its positions.`
    }
  ].filter(({ share }) => share > percentE18(warnPriceImpactPercent))
  const tooMuch = found.find(({ share }) => share > percentE18(maxPriceImpactPercent))
  return tooMuch !== undefined && !isAccepted
    ? BadRequest.of(
        path,
        "price_impact",
        `${tooMuch.sentence} The limit is ${maxPriceImpactPercent} %. Set acceptPriceImpact to go beyond it.`
      )
    : found.map(({ sentence }) => sentence)
}
