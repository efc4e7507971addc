import { mulDivRoundingUp } from "../../../foundation/primitives/index.ts"
import { tokenKey } from "../../../foundation/tokens/index.ts"
import type { ReadySwap } from "./readySwaps.ts"
import { deductedGasFee } from "./swapPlan.ts"

/**
 * Returns the gas that the wallet pays in addition to the amount, in base units of tokenOut. Zero if gas is deducted
 * from the amount, if there is no user operation, or if a price is unknown. Rounded up, so that the quote is not ranked
 * too high.
 */
const separateGasRoundingUp = ({ order, prepared: { gas }, prices: { usd } }: ReadySwap): bigint => {
  if (gas === null || deductedGasFee(order, gas.maxToken) > 0n) return 0n
  const { payGasFeeToken, tokenOut } = order.tokens
  if (tokenKey(payGasFeeToken) === tokenKey(tokenOut)) return gas.maxToken
  const [gasPrice, outPrice] = [usd.get(tokenKey(payGasFeeToken)), usd.get(tokenKey(tokenOut))]
  if (gasPrice === undefined || outPrice === undefined || outPrice === 0n) return 0n
  return mulDivRoundingUp(
    gas.maxToken * 10n ** BigInt(tokenOut.decimals),
    gasPrice,
    outPrice * 10n ** BigInt(payGasFeeToken.decimals)
  )
}

/** Returns the minimum output of a swap minus its maximum gas cost, in base units of tokenOut. It can be negative. */
export const guaranteedAfterGas = (swap: ReadySwap): bigint =>
  swap.prepared.plan.minAmountOut - separateGasRoundingUp(swap)
