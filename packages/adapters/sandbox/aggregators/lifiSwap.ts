import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, isNativeToken, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { encodeFunctionData, type Hex, pad, parseAbi, stringToHex, zeroAddress } from "viem"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { feeAbi, genericSwapAbi } from "../../src/exchanges/aggregators/index.ts"
import { routeData, routeOrNull } from "./emulator.ts"
import type { LiFiEmulator } from "./lifiResponse.ts"

/** A decoded request to LI.FI's API. */
export interface LiFiRequest {
  readonly chainId: EvmChainId
  readonly chainIdOut: EvmChainId
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  readonly sender: Hex
  readonly receiver: Hex
  readonly slippageBps: bigint
  readonly integrator: string
}

/** A route and its transaction. Output amounts are in base units of `tokenOut`. */
export interface LiFiRoute {
  readonly tool: string
  readonly amountOut: bigint
  readonly minAmountOut: bigint
  readonly seconds: number
  readonly data: Hex
  readonly value: bigint
}

/** A step for the contract library LibSwap. */
export interface LiFiStep {
  readonly callTo: Hex
  readonly approveTo: Hex
  readonly sendingAssetId: Hex
  readonly receivingAssetId: Hex
  readonly fromAmount: bigint
  readonly callData: Hex
  readonly requiresDeposit: boolean
}

/** ABI of LiFiDEXAggregator. */
export const exchangeAbi = parseAbi([
  "function processRoute(address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOutMin, address to, bytes route) payable returns (uint256 amountOut)"
])

const FEE_PART = 400n
const FEE_RECEIVER = `0x${"fe".repeat(20)}` as const
const VALIDITY_SECONDS = 1_200
export const BPS = 10_000n

export const assetOf = (token: Address): Hex => (isNativeToken(token) ? zeroAddress : token)
export const transactionId = pad(stringToHex("sandbox"))

const feeStep = ({ chainId, tokenIn }: LiFiRequest, amount: bigint, fee: bigint): LiFiStep => {
  const { feeForwarder } = deploymentOf(chainId).lifi
  const distributions = [{ recipient: FEE_RECEIVER, amount: fee }] as const
  const asset = assetOf(tokenIn)
  const isNative = isNativeToken(tokenIn)
  return {
    callTo: feeForwarder,
    approveTo: feeForwarder,
    sendingAssetId: asset,
    receivingAssetId: asset,
    // The first step deposits the complete amount of a token. A native token is sent with each call.
    fromAmount: isNative ? fee : amount,
    callData: isNative
      ? encodeFunctionData({ abi: feeAbi, functionName: "forwardNativeFees", args: [distributions] })
      : encodeFunctionData({ abi: feeAbi, functionName: "forwardERC20Fees", args: [asset, distributions] }),
    requiresDeposit: true
  }
}

/**
 * Builds the steps that pay LI.FI's fee of 0.25 % and swap the rest. LI.FI's contract then holds the output. Null if no
 * pool contains the tokens.
 */
export const swapStepsOrNull = async (
  emulator: LiFiEmulator,
  request: LiFiRequest,
  tokenOut: Address
): Promise<{ readonly steps: ReadonlyArray<LiFiStep>; readonly amountOut: bigint } | null> => {
  const { amountIn, chainId, tokenIn } = request
  const { diamond, exchange } = deploymentOf(chainId).lifi
  const fee = amountIn / FEE_PART
  const amount = amountIn - fee
  const poolSwap = { chainId, tokenIn, tokenOut, amountIn: amount }
  const poolRoute = await routeOrNull(emulator, poolSwap)
  if (poolRoute === null) return null
  const deadline = BigInt(emulator.nowSeconds() + VALIDITY_SECONDS)
  const route = routeData(emulator, { ...poolSwap, ...poolRoute }, { recipient: diamond, deadline })
  const tokenAddressOf = (token: Address): Hex => (isNativeToken(token) ? NATIVE_TOKEN : token)
  const swap: LiFiStep = {
    callTo: exchange,
    approveTo: exchange,
    sendingAssetId: assetOf(tokenIn),
    receivingAssetId: assetOf(tokenOut),
    fromAmount: amount,
    callData: encodeFunctionData({
      abi: exchangeAbi,
      functionName: "processRoute",
      args: [tokenAddressOf(tokenIn), amount, tokenAddressOf(tokenOut), 1n, diamond, route]
    }),
    requiresDeposit: false
  }
  return { steps: [feeStep(request, amountIn, fee), swap], amountOut: poolRoute.amountOut }
}

const nameOf = ({ tokenIn, tokenOut }: LiFiRequest) => {
  if (isNativeToken(tokenIn)) return "swapTokensMultipleV3NativeToERC20"
  return isNativeToken(tokenOut) ? "swapTokensMultipleV3ERC20ToNative" : "swapTokensMultipleV3ERC20ToERC20"
}

/** Builds a swap on one chain. Null if there is no route. */
export const swapRouteOrNull = async (emulator: LiFiEmulator, request: LiFiRequest): Promise<LiFiRoute | null> => {
  const { amountIn, integrator, receiver, slippageBps, tokenIn, tokenOut } = request
  const swap = await swapStepsOrNull(emulator, request, tokenOut)
  if (swap === null) return null
  const minAmountOut = (swap.amountOut * (BPS - slippageBps)) / BPS
  const data = encodeFunctionData({
    abi: genericSwapAbi,
    functionName: nameOf(request),
    args: [transactionId, integrator, "", receiver, minAmountOut, [...swap.steps]]
  })
  const value = isNativeToken(tokenIn) ? amountIn : 0n
  return { tool: "lifidexaggregator", amountOut: swap.amountOut, minAmountOut, seconds: 0, data, value }
}
