import { ratioFromPercent } from "../../primitives/index.ts"

/**
 * The least output that is still acceptable.
 * Rounded down: the contract enforces exactly this figure, so the user is never promised more than is enforced.
 */
export const minAmountOutRoundingDown = (amountOut: bigint, slippagePercent: number): bigint => {
  const { denominator, numerator } = ratioFromPercent(slippagePercent)
  return (amountOut * (denominator - numerator)) / denominator
}
