import type { WalletAddress } from "@countersign/core/foundation/primitives"
import { decodeFunctionData, zeroAddress } from "viem"
import { addressFromHex } from "../../../chains/evm/index.ts"
import type { RouteReader } from "../RouteCall.ts"
import { fault, type RouteFault } from "../RouteFault.ts"
import { augustusAbi } from "./abi.ts"

/** Mask of the partner fee, in basis points of the bought amount. */
const FEE_MASK = 0x3fffn
/**
 * Position of the partner's address, above the fee and the flags. The flags only determine who receives the output
 * beyond the quoted amount.
 */
const PARTNER_SHIFT = 96n

const decodeCall = (data: Parameters<RouteReader>[0]) => {
  try {
    return decodeFunctionData({ abi: augustusAbi, data }).args
  } catch {
    return null
  }
}

const faultsOf = (partnerAndFee: bigint, permit: string): ReadonlyArray<RouteFault> => {
  const faults: Array<RouteFault> = []
  if (permit !== "0x") faults.push(fault("PERMIT", "it contains a permit, which is an additional allowance"))
  const fee = partnerAndFee & FEE_MASK
  if (fee !== 0n) {
    const partner = `0x${(partnerAndFee >> PARTNER_SHIFT).toString(16).padStart(40, "0")}`
    faults.push(fault("FEE", `it pays an unrequested fee of ${fee} basis points to ${partner}`))
  }
  return faults
}

/**
 * Returns the guaranteed output. Augustus enforces `toAmount`, pays any output above `quotedAmount` to Velora, and
 * keeps one base unit.
 */
export const minAmountOfAugustus = (toAmount: bigint, quotedAmount: bigint): bigint => {
  const minAmount = toAmount < quotedAmount ? toAmount : quotedAmount
  return minAmount === 0n ? 0n : minAmount - 1n
}

/** Creates a decoder for the sender's call of Augustus. The calldata for its executors are opaque. */
export const readVeloraCall =
  (sender: WalletAddress): RouteReader =>
  (data) => {
    const args = decodeCall(data)
    if (args === null) {
      return fault("FUNCTION", `its call can't be decoded as swapExactAmountIn: it begins with ${data.slice(0, 10)}`)
    }
    const [, swap, partnerAndFee, permit] = args
    return {
      tokenIn: addressFromHex(swap.srcToken),
      tokenOut: addressFromHex(swap.destToken),
      amountIn: swap.fromAmount,
      recipient: swap.beneficiary === zeroAddress ? sender : addressFromHex(swap.beneficiary),
      minAmountOut: minAmountOfAugustus(swap.toAmount, swap.quotedAmount),
      faults: faultsOf(partnerAndFee, permit)
    }
  }
