export const USUAL_SLIPPAGE_BPS = 50
const MAX_SLIPPAGE_BPS = 5_000n
const BPS = 10_000n

/**
 * Returns the largest slippage, in basis points, whose output is at least the minimum. At most `MAX_SLIPPAGE_BPS`. Null
 * if the route's output is already below the minimum.
 */
export const slippageBpsOrNull = (amountOut: bigint, minAmountOut: bigint): number | null => {
  if (amountOut < minAmountOut) return null
  const bps = ((amountOut - minAmountOut) * BPS) / amountOut
  return Number(bps > MAX_SLIPPAGE_BPS ? MAX_SLIPPAGE_BPS : bps)
}
