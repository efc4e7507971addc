export const USUAL_SLIPPAGE_BPS = 50
const MAX_SLIPPAGE_BPS = 5_000n
const BPS = 10_000n

/** The largest slippage with an output of at least the minimum; null if the route already gives less. */
export const slippageBpsOrNull = (amountOut: bigint, minAmountOut: bigint): number | null => {
  if (amountOut < minAmountOut) return null
  const bps = ((amountOut - minAmountOut) * BPS) / amountOut
  return Number(bps > MAX_SLIPPAGE_BPS ? MAX_SLIPPAGE_BPS : bps)
}
