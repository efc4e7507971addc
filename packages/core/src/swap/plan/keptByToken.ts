import { isNativeCoin, type WalletAddress } from "../../primitives/index.ts"
import { type Call, type TokenTransfer, transfer } from "../../user-operations/index.ts"
import type { SwapPlan } from "./swapPlan.ts"

const arrivingAt = (
  recipient: WalletAddress,
  token: string,
  transfers: ReadonlyArray<TokenTransfer>
): ReadonlyArray<bigint> =>
  transfers.flatMap((each) => (each.to === recipient && each.token === token ? [each.amount] : []))

const sum = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/**
 * Whether less arrives in a run than the offer says: the token has kept a part, or the pools have changed since they were
 * read. Of a floor only less than the least counts. False where the run does not tell of the receiver.
 */
export const arrivesShort = (
  { minAmountOut, offer }: Pick<SwapPlan, "minAmountOut" | "offer">,
  recipient: WalletAddress,
  transfers: ReadonlyArray<TokenTransfer>
): boolean => {
  const arrivals = arrivingAt(recipient, offer.tokenOut.address, transfers)
  return arrivals.length > 0 && sum(arrivals) < (offer.certainty === "EXACT" ? offer.amountOut : minAmountOut)
}

/**
 * A transfer of what would be swapped to the contract that takes it, which shows whether the token keeps a part: routers
 * then fail with whatever they miss first. Null where there is no such transfer.
 */
export const transferToRoute = ({ offer: { route, tokenIn }, split }: SwapPlan): Call | null => {
  const taker = route[0]?.hops[0]?.through
  return taker === undefined || isNativeCoin(tokenIn.address) ? null : transfer(tokenIn, false, taker, split.net)
}

/** Whether less than what was sent arrived at the contract that takes it. */
export const keepsInput = ({ offer, split }: SwapPlan, transfers: ReadonlyArray<TokenTransfer>): boolean => {
  const taker = offer.route[0]?.hops[0]?.through
  if (taker === undefined) return false
  const arrivals = arrivingAt(taker, offer.tokenIn.address, transfers)
  return arrivals.length > 0 && sum(arrivals) < split.net
}
