import { swapThrough } from "../liquidity/index.ts"
import type { Route } from "./Route.ts"

const E18 = 10n ** 18n

/** Returns the output after fees that the pools would pay if their prices did not change during the swap. */
const outputAtFirstPrice = (part: Route["parts"][number]): bigint =>
  part.hops.reduce((amount, { pool, zeroForOne }) => {
    const zeroSwap = swapThrough(pool, zeroForOne, 0n, true)
    if (zeroSwap._tag !== "Swapped") return 0n
    const { denominator, numerator } = zeroSwap.marginalOutput()
    return (amount * numerator) / denominator
  }, part.amountIn)

/**
 * Returns the price impact of a route: the fraction of the output that is lost because the swap changes the pools'
 * prices, without fees, scaled by 10^18. Rounded up, and at least zero.
 */
export const priceImpactE18RoundingUp = ({ amountOut, parts }: Pick<Route, "amountOut" | "parts">): bigint => {
  const outputWithoutImpact = parts.reduce((sum, part) => sum + outputAtFirstPrice(part), 0n)
  return outputWithoutImpact <= amountOut
    ? 0n
    : ((outputWithoutImpact - amountOut) * E18 + outputWithoutImpact - 1n) / outputWithoutImpact
}
