import { mulDivRoundingDown } from "../../foundation/primitives/index.ts"
import { usdE6RoundingDown } from "../../foundation/tokens/index.ts"
import type { Amounts, PoolHour } from "./PoolActivity.ts"
import type { PricedToken } from "./PoolRef.ts"

/** Returns the total value of a pool's two amounts in millionths of a US dollar. Null if a price is unknown. */
export const usdE6OfBothOrNull = (
  { amount0, amount1 }: Amounts,
  [side0, side1]: readonly [PricedToken, PricedToken]
): bigint | null =>
  side0.price === null || side1.price === null
    ? null
    : usdE6RoundingDown(amount0, side0.decimals, side0.price) + usdE6RoundingDown(amount1, side1.decimals, side1.price)

const DOLLAR_E18 = 10n ** 18n

/** Returns whether the price is within 5 % of one US dollar. */
const isDollar = ({ price }: PricedToken): boolean =>
  price !== null && price * 100n >= DOLLAR_E18 * 95n && price * 100n <= DOLLAR_E18 * 105n

/**
 * Returns the token whose price determines the value of swaps. A US dollar stablecoin is preferred, because its past
 * price equals its current price. Otherwise, the first token with a price. Null if no price is known.
 */
const measuringIndexOf = (sides: readonly [PricedToken, PricedToken]): 0 | 1 | null => {
  if (isDollar(sides[0])) return 0
  if (isDollar(sides[1])) return 1
  if (sides[0].price !== null) return 0
  return sides[1].price === null ? null : 1
}

/**
 * Returns volume and fees of several hours in millionths of a US dollar. Null if no price is known.
 *
 * Both sides of a swap have the same value at the time of the swap, so only the volume in the measuring token counts.
 * Fees in the other token are converted with the exchange rate of their hour. If the measuring token is a US dollar
 * stablecoin, the values are historical. Otherwise they use the token's current price. Rounded down for each hour.
 */
export const hourValuesRoundingDown = (
  hours: ReadonlyArray<PoolHour>,
  sides: readonly [PricedToken, PricedToken]
): { readonly volumeUsdE6: bigint; readonly feesUsdE6: bigint } | null => {
  const measuringIndex = measuringIndexOf(sides)
  if (measuringIndex === null) return null
  const measuringToken = sides[measuringIndex]
  const otherToken = sides[1 - measuringIndex]!
  const usd = (units: bigint) => usdE6RoundingDown(units, measuringToken.decimals, measuringToken.price!)
  let volumeUsdE6 = 0n
  let feesUsdE6 = 0n
  for (const { fees0, fees1, volume0, volume1 } of hours) {
    const [volume, otherVolume] = measuringIndex === 0 ? [volume0, volume1] : [volume1, volume0]
    const [fees, otherFees] = measuringIndex === 0 ? [fees0, fees1] : [fees1, fees0]
    volumeUsdE6 += usd(volume)
    if (otherVolume > 0n) feesUsdE6 += usd(fees + mulDivRoundingDown(otherFees, volume, otherVolume))
    // The hour has only flash loans, so it has no exchange rate.
    else feesUsdE6 += usd(fees) + usdE6RoundingDown(otherFees, otherToken.decimals, otherToken.price ?? 0n)
  }
  return { volumeUsdE6, feesUsdE6 }
}
