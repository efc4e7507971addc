import { decodeFunctionData, type Hex } from "viem"
import { fault, type RouteFault } from "../RouteFault.ts"
import { feeAbi } from "./abi.ts"

/** Maximum fee in thousandths of the sold amount. LI.FI charges 0.25 %; a higher fee would pay another party. */
const MAX_PER_MILLE = 3n

/** Decodes the fees of a step that calls one of LI.FI's fee contracts; null if the step is another call. */
const feesIn = (data: Hex): { readonly own: bigint; readonly others: bigint } | null => {
  try {
    const { args, functionName } = decodeFunctionData({ abi: feeAbi, data })
    switch (functionName) {
      case "collectTokenFees":
        return { own: args[2], others: args[1] }
      case "collectNativeFees":
        return { own: args[1], others: args[0] }
      case "forwardERC20Fees":
        return { own: args[1].reduce((sum, { amount }) => sum + amount, 0n), others: 0n }
      case "forwardNativeFees":
        return { own: args[0].reduce((sum, { amount }) => sum + amount, 0n), others: 0n }
    }
  } catch {
    return null
  }
}

/** Checks a step that pays fees from the sold amount. Null if the fees are acceptable. */
export const feeFault = (data: Hex, amountIn: bigint): RouteFault | null => {
  const fees = feesIn(data)
  if (fees === null) return fault("FUNCTION", "a call of LI.FI's fee contract can't be decoded as a fee")
  if (fees.others > 0n) return fault("FEE", `it pays a fee of ${fees.others} base units that was not requested`)
  return fees.own * 1_000n > amountIn * MAX_PER_MILLE
    ? fault("FEE", `it pays fees of ${fees.own} base units, which is more than LI.FI charges`)
    : null
}
