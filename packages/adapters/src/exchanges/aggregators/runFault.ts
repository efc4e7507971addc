import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import type { OfferRequest, OfferRun, OfferTerms } from "@countersign/core/trading/swap"
import { fault, type RouteFault } from "./RouteFault.ts"

/**
 * Finds the forbidden effects of a route in its simulation: it takes another token or too much, delivers too little, or
 * leaves an allowance. A failed simulation is also a fault, because it proves nothing. If no node can simulate, a
 * same-chain route counts as delivering too little.
 */
export const runFault = (
  { amountIn, tokenIn, tokenOut }: Pick<OfferRequest, "tokenIn" | "tokenOut" | "amountIn">,
  { allowances, arrived, notSeen, revert, taken }: OfferRun,
  { minAmountOut }: Pick<OfferTerms, "minAmountOut">
): RouteFault | null => {
  if (revert !== null) return fault("REVERT", `it can't be verified, because its simulation fails: ${revert.decoded}`)
  for (const [token, amount] of taken) {
    if (token !== tokenIn.address)
      return fault("TAKES_MORE", `in the simulation it also takes ${amount} base units of ${token}`)
    if (amount > amountIn) {
      const excessText = decimalFromBaseUnits(amount - amountIn, tokenIn.decimals)
      return fault("TAKES_MORE", `in the simulation it takes ${excessText} ${tokenIn.symbol} more than requested`)
    }
  }
  if (arrived !== null && arrived < minAmountOut) {
    const [deliveredText, minAmountText] = [arrived, minAmountOut].map((each) =>
      decimalFromBaseUnits(each, tokenOut.decimals)
    )
    const unseenText = notSeen === null ? "" : `. ${notSeen}`
    return fault(
      "GIVES_LESS",
      `in the simulation it delivers ${deliveredText} ${tokenOut.symbol}, which is less than the minimum of ${minAmountText}${unseenText}`
    )
  }
  const [remainingAllowance] = allowances
  return remainingAllowance === undefined
    ? null
    : fault(
        "ALLOWANCE",
        `in the simulation an allowance of ${remainingAllowance.amount} base units of ${remainingAllowance.token} for ${remainingAllowance.spender} remains`
      )
}
