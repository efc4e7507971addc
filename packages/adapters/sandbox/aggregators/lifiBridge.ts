import { type Address, isNativeToken } from "@countersign/core/foundation/primitives"
import { type ContractFunctionArgs, encodeFunctionData, pad, zeroAddress } from "viem"
import { acrossOrNull, bridgedAssets, deploymentOf } from "../../src/chains/deployments/index.ts"
import { acrossFacetAbi } from "../../src/exchanges/aggregators/index.ts"
import { suggestedFees } from "../across/suggestedFees.ts"
import type { LiFiEmulator } from "./lifiResponse.ts"
import { assetOf, BPS, type LiFiRequest, type LiFiRoute, swapStepsOrNull, transactionId } from "./lifiSwap.ts"

const ONE_E18 = 10n ** 18n
/** Seconds by which a quote's timestamp precedes the clock, because it must not be later than the head block. */
const BEFORE_SECONDS = 60
const FILL_WINDOW_SECONDS = 7_200

/** Returns the source token that Across delivers as `tokenOut` on the destination chain. Null if there is none. */
const bridgedTokenOrNull = ({ chainId, chainIdOut, tokenOut }: LiFiRequest): Address | null => {
  const [origin, destination] = [acrossOrNull(chainId), acrossOrNull(chainIdOut)]
  const asset = bridgedAssets.find((each) => destination?.tokens[each] === tokenOut)
  return asset === undefined ? null : (origin?.tokens[asset] ?? null)
}

/**
 * Returns the output and the duration of a transfer, as computed by Across's `suggested-fees`. Null if Across rejects
 * the transfer.
 */
const bridgedAmountOrNull = (
  emulator: LiFiEmulator,
  { chainId, chainIdOut, tokenOut }: LiFiRequest,
  token: Address,
  amount: bigint
) => {
  const query = new URLSearchParams({
    originChainId: String(chainId),
    destinationChainId: String(chainIdOut),
    inputToken: token,
    outputToken: tokenOut,
    amount: String(amount)
  })
  const { body, status } = suggestedFees(query, emulator.relayer(), emulator.nowSeconds())
  if (status !== 200) return null
  const { estimatedFillTimeSec, outputAmount } = body as {
    readonly outputAmount: string
    readonly estimatedFillTimeSec: number
  }
  return { amountOut: BigInt(outputAmount), seconds: estimatedFillTimeSec }
}

type Args = ContractFunctionArgs<typeof acrossFacetAbi, "payable", "startBridgeTokensViaAcrossV4">

interface BridgeParameters {
  readonly sendingAssetId: Args[0]["sendingAssetId"]
  readonly minAmount: bigint
  readonly hasSourceSwaps: boolean
  readonly bridgedToken: Address
  readonly outputAmount: bigint
  readonly outputAmountMultiplier: bigint
}

const argsOf = (request: LiFiRequest, bridgeParameters: BridgeParameters, now: number): Args => {
  const { bridgedToken, hasSourceSwaps, minAmount, outputAmount, outputAmountMultiplier, sendingAssetId } =
    bridgeParameters
  const quoteTimestamp = now - BEFORE_SECONDS
  return [
    {
      transactionId,
      bridge: "across",
      integrator: request.integrator,
      referrer: zeroAddress,
      sendingAssetId,
      receiver: request.receiver,
      minAmount,
      destinationChainId: BigInt(request.chainIdOut),
      hasSourceSwaps,
      hasDestinationCall: false
    },
    {
      receiverAddress: pad(request.receiver),
      refundAddress: pad(request.sender),
      sendingAssetId: pad(bridgedToken),
      receivingAssetId: pad(request.tokenOut),
      outputAmount,
      outputAmountMultiplier,
      exclusiveRelayer: pad("0x"),
      quoteTimestamp,
      fillDeadline: quoteTimestamp + FILL_WINDOW_SECONDS,
      exclusivityParameter: 0,
      message: "0x"
    }
  ]
}

const directRouteOrNull = (emulator: LiFiEmulator, request: LiFiRequest, bridgedToken: Address): LiFiRoute | null => {
  const { amountIn, tokenIn } = request
  const bridgedAmount = bridgedAmountOrNull(emulator, request, bridgedToken, amountIn)
  if (bridgedAmount === null) return null
  const bridgeParameters: BridgeParameters = {
    sendingAssetId: assetOf(tokenIn),
    minAmount: amountIn,
    hasSourceSwaps: false,
    bridgedToken,
    outputAmount: bridgedAmount.amountOut,
    outputAmountMultiplier: (bridgedAmount.amountOut * ONE_E18) / amountIn
  }
  const args = argsOf(request, bridgeParameters, emulator.nowSeconds())
  return {
    tool: "across",
    amountOut: bridgedAmount.amountOut,
    minAmountOut: bridgedAmount.amountOut,
    seconds: bridgedAmount.seconds,
    data: encodeFunctionData({ abi: acrossFacetAbi, functionName: "startBridgeTokensViaAcrossV4", args }),
    value: isNativeToken(tokenIn) ? amountIn : 0n
  }
}

/**
 * Builds a route with a source swap. The bridged amount is a share of the swap's output. The contract enforces the
 * minimum of this output.
 */
const swappedRouteOrNull = async (
  emulator: LiFiEmulator,
  request: LiFiRequest,
  bridgedToken: Address
): Promise<LiFiRoute | null> => {
  const swap = await swapStepsOrNull(emulator, request, bridgedToken)
  if (swap === null) return null
  const minAmount = (swap.amountOut * (BPS - request.slippageBps)) / BPS
  const bridgedAmount = bridgedAmountOrNull(emulator, request, bridgedToken, minAmount)
  if (bridgedAmount === null) return null
  const outputAmountMultiplier = (bridgedAmount.amountOut * ONE_E18) / minAmount
  const bridgeParameters: BridgeParameters = {
    sendingAssetId: bridgedToken,
    minAmount,
    hasSourceSwaps: true,
    bridgedToken,
    outputAmount: bridgedAmount.amountOut,
    outputAmountMultiplier
  }
  const [bridge, across] = argsOf(request, bridgeParameters, emulator.nowSeconds())
  return {
    tool: "across",
    amountOut: (swap.amountOut * outputAmountMultiplier) / ONE_E18,
    minAmountOut: (minAmount * outputAmountMultiplier) / ONE_E18,
    seconds: bridgedAmount.seconds,
    data: encodeFunctionData({
      abi: acrossFacetAbi,
      functionName: "swapAndStartBridgeTokensViaAcrossV4",
      args: [bridge, [...swap.steps], across]
    }),
    value: isNativeToken(request.tokenIn) ? request.amountIn : 0n
  }
}

/**
 * Builds a transfer to another chain through Across, with a source swap if Across does not accept the token. Null if
 * there is no route.
 */
export const bridgedRouteOrNull = async (emulator: LiFiEmulator, request: LiFiRequest): Promise<LiFiRoute | null> => {
  const bridgedToken = bridgedTokenOrNull(request)
  if (bridgedToken === null) return null
  const { wrappedNative } = deploymentOf(request.chainId)
  const isDirect =
    request.tokenIn === bridgedToken || (isNativeToken(request.tokenIn) && bridgedToken === wrappedNative.address)
  return isDirect
    ? directRouteOrNull(emulator, request, bridgedToken)
    : swappedRouteOrNull(emulator, request, bridgedToken)
}
