import { decimalRoundedUp, fixedPointOf, ONE } from "../decimals.ts"

/** `outPerIn` is the amount of `tokenOut` per unit of `tokenIn`; `inPerOut` is the inverse. */
export type PriceUnit = "outPerIn" | "inPerOut"

const isDecimal = (text: string): boolean => /^\d+(?:\.\d+)?$/u.test(text)

const divideRoundingUp = (value: bigint, divisor: bigint): bigint => (value + divisor - 1n) / divisor

/**
 * Returns the minimum output of a limit order at a price, in units of `tokenOut`. Rounded up, so that the
 * order never executes below its price. Null while the amount or the price is not a positive number.
 *
 * @param decimals - Of `tokenOut`, at most 36.
 */
export const minAmountOutFor = (amountIn: string, price: string, unit: PriceUnit, decimals: number): string | null => {
  if (!(isDecimal(amountIn) && isDecimal(price))) return null
  const [amount, rate] = [fixedPointOf(amountIn), fixedPointOf(price)]
  if (amount === 0n || rate === 0n) return null
  const amountOut = unit === "outPerIn" ? divideRoundingUp(amount * rate, ONE) : divideRoundingUp(amount * ONE, rate)
  return decimalRoundedUp(amountOut, decimals)
}
