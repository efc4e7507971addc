import { type Address, decimalFromBaseUnits, isNativeToken } from "@countersign/core/foundation/primitives"
import { approveCall, type Call } from "@countersign/core/operations/user-operations"
import type { OfferRequest, OfferTerms } from "@countersign/core/trading/swap"
import type { RouteTransaction } from "./RouteCall.ts"

/**
 * Builds the calls of a route: an approval of the exact amount, the router's call, and the revocation of the approval.
 * Without the revocation the router could take tokens later, for example after an upgrade of its code.
 */
export const routeCalls = (
  name: string,
  { amountIn, tokenIn, tokenOut }: Pick<OfferRequest, "tokenIn" | "tokenOut" | "amountIn">,
  { minAmountOut, recipient }: Pick<OfferTerms, "recipient" | "minAmountOut">,
  spender: Address,
  transaction: RouteTransaction
): ReadonlyArray<Call> => {
  const soldText = `${decimalFromBaseUnits(amountIn, tokenIn.decimals)} ${tokenIn.symbol}`
  const boughtText = `${decimalFromBaseUnits(minAmountOut, tokenOut.decimals)} ${tokenOut.symbol}`
  const swap: Call = {
    ...transaction,
    summary: `Swap ${soldText} by ${name} for at least ${boughtText} to ${recipient}`
  }
  if (isNativeToken(tokenIn.address)) return [swap]
  return [
    approveCall(tokenIn, spender, amountIn),
    swap,
    { ...approveCall(tokenIn, spender, 0n), summary: `Revoke the ${tokenIn.symbol} allowance of ${spender}` }
  ]
}
