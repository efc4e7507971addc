import { Option } from "effect"
import { scaledE18RoundingDown } from "../../outbound/json-api/index.ts"

const E18 = 10n ** 18n

/** Converts a decimal to minor units, rounded down. */
export const unitsRoundingDown = (decimal: string, digits: number): bigint => {
  const [whole = "0", fraction = ""] = decimal.split(".")
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, "0"))
}

/** Returns the worse of the buy and the sell rate of two currencies, scaled by 10^18. Null if the rates are invalid. */
export const worseRateOrNull = (rates: { readonly buy_rate: string; readonly sell_rate: string }): bigint | null => {
  const [buy, sell] = [rates.buy_rate, rates.sell_rate].map((rate) =>
    /^\d+(?:\.\d+)?$/u.test(rate) ? Option.getOrNull(scaledE18RoundingDown(rate)) : null
  )
  if (buy == null || sell == null) return null
  if (buy < sell) return buy
  return sell
}

/** Converts an amount at a rate, from and to base units with different numbers of decimals. */
export const atRateRoundingDown = (amount: bigint, rateE18: bigint, fromDigits: number, toDigits: number): bigint =>
  (amount * rateE18 * 10n ** BigInt(toDigits)) / (E18 * 10n ** BigInt(fromDigits))

export const PAR_E18 = E18
