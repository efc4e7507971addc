export const USUAL_SLIPPAGE_BPS = 50
const MAX_SLIPPAGE_BPS = 5_000n
const BPS = 10_000n

/** The largest slippage by which the least output is no less than ours; null where the route gives less already. */
export const slippageBpsOrNull = (amountOut: bigint, minAmountOut: bigint): number | null => {
  if (amountOut < minAmountOut) return null
  const bps = ((amountOut - minAmountOut) * BPS) / amountOut
  return Number(bps > MAX_SLIPPAGE_BPS ? MAX_SLIPPAGE_BPS : bps)
}
