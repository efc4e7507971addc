import { swapThrough } from "../liquidity/index.ts"
import type { Route } from "./Route.ts"

const E18 = 10n ** 18n

/** Output that an input would have if each of its bits were swapped at the pools' price before it, fees taken. */
const outputAtFirstPrice = (part: Route["parts"][number]): bigint =>
  part.hops.reduce((amount, { pool, zeroForOne }) => {
    const nothing = swapThrough(pool, zeroForOne, 0n, true)
    if (nothing._tag !== "Swapped") return 0n
    const { denominator, numerator } = nothing.marginalOutput()
    return (amount * numerator) / denominator
  }, part.amountIn)

/**
 * The price impact of a route: the share of the output that is lost because the pools' prices move, fees apart, as
 * a fraction of 10^18. Rounded up, and never below zero.
 */
export const priceImpactE18RoundingUp = ({ amountOut, parts }: Pick<Route, "amountOut" | "parts">): bigint => {
  const untouched = parts.reduce((sum, part) => sum + outputAtFirstPrice(part), 0n)
  return untouched <= amountOut ? 0n : ((untouched - amountOut) * E18 + untouched - 1n) / untouched
}
