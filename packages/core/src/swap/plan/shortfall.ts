import type { WalletAddress } from "../../primitives/index.ts"
import type { TokenTransfer } from "../../user-operations/index.ts"
import type { SwapPlan } from "./swapPlan.ts"

/**
 * Whether less than the least arrives in a run that did not revert: the routers enforced the least on what they sent, so
 * that the token itself has kept a part. False where the run does not tell of the receiver.
 */
export const arrivesShort = (
  { minAmountOut, offer }: Pick<SwapPlan, "minAmountOut" | "offer">,
  recipient: WalletAddress,
  transfers: ReadonlyArray<TokenTransfer>
): boolean => {
  const arrivals = transfers.filter(({ to, token }) => to === recipient && token === offer.tokenOut.address)
  return arrivals.length > 0 && arrivals.reduce((sum, { amount }) => sum + amount, 0n) < minAmountOut
}
