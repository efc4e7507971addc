export const USUAL_SLIPPAGE_BPS = 50
const MAX_SLIPPAGE_BPS = 5_000n
const BPS = 10_000n

/** The largest slippage whose output is at least the minimum; null if the route's output is already lower. */
export const slippageBpsOrNull = (amountOut: bigint, minAmountOut: bigint): number | null => {
  if (amountOut < minAmountOut) return null
  const bps = ((amountOut - minAmountOut) * BPS) / amountOut
  return Number(bps > MAX_SLIPPAGE_BPS ? MAX_SLIPPAGE_BPS : bps)
}
