import { type Address, NATIVE_COIN } from "@countersign/core/primitives"
import { decodeFunctionData, type Hex, zeroAddress } from "viem"
import type { LiFiDeployment } from "../../deployments/index.ts"
import { addressFromHex } from "../../evm/index.ts"
import type { RouteReader } from "../RouteCall.ts"
import { fault, type RouteFault } from "../RouteFault.ts"
import { genericSwapAbi } from "./abi.ts"
import { feeFault } from "./feeFault.ts"

/** LI.FI's word for the coin. */
const tokenOf = (asset: string): Address => (asset === zeroAddress ? NATIVE_COIN : addressFromHex(asset))

const decoded = (data: Hex) => {
  try {
    const call = decodeFunctionData({ abi: genericSwapAbi, data })
    const [, , , receiver, minAmountOut, swaps] = call.args
    const steps: ReadonlyArray<Step> = "length" in swaps ? swaps : [swaps]
    return steps.length === 0 ? null : { name: call.functionName, receiver, minAmountOut, steps }
  } catch {
    return null
  }
}

interface Step {
  readonly callTo: Hex
  readonly approveTo: Hex
  readonly sendingAssetId: Hex
  readonly receivingAssetId: Hex
  readonly fromAmount: bigint
  readonly callData: Hex
  readonly requiresDeposit: boolean
}

/** Contracts that LI.FI may be told to call: its own, and routers that the service knows. */
export interface AllowedContracts {
  readonly exchanges: ReadonlySet<Address>
  readonly fees: ReadonlySet<Address>
}

export const allowedOf = (
  { exchange, feeCollector, feeForwarder }: LiFiDeployment,
  routers: ReadonlyArray<Address>
): AllowedContracts => ({
  exchanges: new Set([exchange, ...routers]),
  fees: new Set([feeCollector, feeForwarder])
})

/** Nobody is approved for coin. */
const NO_APPROVAL: Address = addressFromHex(zeroAddress)

const stepFault = ({ exchanges, fees }: AllowedContracts, step: Step, amountIn: bigint): RouteFault | null => {
  const [callTo, approveTo] = [addressFromHex(step.callTo), addressFromHex(step.approveTo)]
  for (const contract of [callTo, approveTo]) {
    if (!exchanges.has(contract) && !fees.has(contract) && contract !== NO_APPROVAL) {
      return fault("CONTRACT", `it leads through ${contract}, which is not on the list of contracts that it may`)
    }
  }
  return fees.has(callTo) ? feeFault(step.callData, amountIn) : null
}

/** Reads a swap on one chain by LI.FI. What the exchanges are told is opaque; the least output is enforced after it. */
export const readGenericSwap =
  (allowed: AllowedContracts): RouteReader =>
  (data) => {
    const call = decoded(data)
    if (call === null) return fault("FUNCTION", "its call is none of the swaps that can be read")
    const { minAmountOut, name, receiver, steps } = call
    const isFromCoin = name.includes("V3Native")
    const [first, last] = [steps[0]!, steps.at(-1)!]
    const deposits = name.includes("Single") ? steps : steps.filter(({ requiresDeposit }) => requiresDeposit)
    const tokenIn = isFromCoin ? NATIVE_COIN : tokenOf(first.sendingAssetId)
    const amountIn = isFromCoin ? first.fromAmount : deposits.reduce((sum, { fromAmount }) => sum + fromAmount, 0n)
    const foreign = deposits.find(({ sendingAssetId }) => tokenOf(sendingAssetId) !== tokenIn)
    const faults = [
      isFromCoin || foreign === undefined
        ? null
        : fault("TOKEN", `it takes ${foreign.sendingAssetId} besides what is sold`),
      ...steps.map((step) => stepFault(allowed, step, amountIn))
    ]
    return {
      tokenIn,
      // The coin that is sent is compared by itself.
      amountIn,
      tokenOut: name.endsWith("ToNative") ? NATIVE_COIN : tokenOf(last.receivingAssetId),
      recipient: addressFromHex(receiver),
      minAmountOut,
      faults: faults.filter((each) => each !== null)
    }
  }
