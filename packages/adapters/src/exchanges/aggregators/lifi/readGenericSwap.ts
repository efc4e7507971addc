import { NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { decodeFunctionData, type Hex } from "viem"
import { addressFromHex } from "../../../chains/evm/index.ts"
import type { RouteReader } from "../RouteCall.ts"
import { fault } from "../RouteFault.ts"
import { genericSwapAbi } from "./abi.ts"
import { type AllowedContracts, stepsOrNull, takenInputOf, tokenOf } from "./steps.ts"

const decodeSwap = (data: Hex) => {
  try {
    const call = decodeFunctionData({ abi: genericSwapAbi, data })
    const [, , , receiver, minAmountOut, swaps] = call.args
    const steps = stepsOrNull("length" in swaps ? swaps : [swaps])
    return steps === null ? null : { name: call.functionName, receiver, minAmountOut, steps }
  } catch {
    return null
  }
}

/**
 * Creates a decoder for a same-chain swap by LI.FI. The calls to exchanges are opaque, but LI.FI's contract enforces the
 * minimum output after them.
 */
export const readGenericSwap =
  (allowed: AllowedContracts): RouteReader =>
  (data) => {
    const call = decodeSwap(data)
    if (call === null) return fault("FUNCTION", "its call can't be decoded as a swap")
    const { minAmountOut, name, receiver, steps } = call
    const deposits = name.includes("Single") ? steps : steps.filter(({ requiresDeposit }) => requiresDeposit)
    return {
      ...takenInputOf(allowed, steps, deposits, name.includes("V3Native")),
      tokenOut: name.endsWith("ToNative") ? NATIVE_TOKEN : tokenOf(steps.at(-1)!.receivingAssetId),
      recipient: addressFromHex(receiver),
      minAmountOut
    }
  }
