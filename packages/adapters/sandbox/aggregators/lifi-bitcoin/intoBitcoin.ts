import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, isNativeToken } from "@countersign/core/foundation/primitives"
import {
  type ContractFunctionArgs,
  concatHex,
  encodeFunctionData,
  type Hex,
  numberToHex,
  pad,
  stringToHex,
  zeroAddress
} from "viem"
import { deploymentOf } from "../../../src/chains/deployments/index.ts"
import {
  chainflipFacetAbi,
  LIFI_BITCOIN,
  minPriceForAmount,
  readChainflipParameters
} from "../../../src/exchanges/aggregators/index.ts"
import { sandboxTokens } from "../../deployment/market.ts"
import type { LiFiRoute } from "../lifiSwap.ts"
import { rateOf, satoshisFor } from "./rates.ts"

/** Chainflip's asset id of BTC. */
export const CHAINFLIP_BTC = 5
/** Placeholder address that LI.FI's contracts use as the receiver on chains that are not EVM chains. */
const NON_EVM_RECEIVER = "0x11f111f111f111F111f111f111F111f111f111F1"

export interface IntoBitcoinRequest {
  readonly chainId: EvmChainId
  readonly tokenIn: Address
  readonly amountIn: bigint
  /** Address that receives a refund. */
  readonly sender: Hex
  /** Bitcoin address that receives the output. */
  readonly receiver: string
  readonly slippageBps: bigint
  readonly integrator: string
}

export type ChainflipArgs = ContractFunctionArgs<typeof chainflipFacetAbi, "payable", "startBridgeTokensViaChainflip">

const littleEndian = (value: bigint, bytes: number): Hex =>
  `0x${numberToHex(value, { size: bytes }).slice(2).match(/../gu)!.reverse().join("")}`

const RETRY_BLOCKS = 100n
/** Encoded parameters without CCM data, DCA chunks, boost fee, broker commission or affiliates. */
const EMPTY_PARAMETERS = `0x${"00".repeat(3 + 32 + 2 + 1)}` as const

/** Encodes Chainflip's parameters, version 1: retry duration, refund address and minimum price. */
const parametersOf = (sender: Hex, minPrice: bigint): Hex =>
  concatHex(["0x01", littleEndian(RETRY_BLOCKS, 4), sender, littleEndian(minPrice, 32), EMPTY_PARAMETERS])

/** Decodes Chainflip's parameters. Null if they have another encoding. */
export const readParameters = (parameters: Hex) =>
  readChainflipParameters(parameters, Address.make(`0x${parameters.slice(12, 52)}`.toLowerCase()))

/** Returns the arguments of a transfer to Bitcoin through Chainflip, with the wallet as refund address. */
export const chainflipArgsOf = (
  { amountIn, integrator, receiver, sender, tokenIn }: IntoBitcoinRequest,
  minAmount: bigint
): ChainflipArgs => [
  {
    transactionId: pad(stringToHex("sandbox")),
    bridge: "chainflip",
    integrator,
    referrer: zeroAddress,
    sendingAssetId: isNativeToken(tokenIn) ? zeroAddress : tokenIn,
    receiver: NON_EVM_RECEIVER,
    minAmount: amountIn,
    destinationChainId: BigInt(LIFI_BITCOIN),
    hasSourceSwaps: false,
    hasDestinationCall: false
  },
  {
    nonEVMReceiver: stringToHex(receiver),
    dstToken: CHAINFLIP_BTC,
    dstCallReceiver: zeroAddress,
    dstCallSwapData: [],
    gasAmount: 0n,
    cfParameters: parametersOf(sender, minPriceForAmount(amountIn, minAmount))
  }
]

const BPS = 10_000n
const SECONDS = 900
/** Minimum output in satoshis. It exceeds the dust limit of every output type. */
const MIN_SATOSHIS = 1_000n

/** Returns whether Chainflip accepts a token. It accepts native tokens, USDC and USDT. */
const isAccepted = (chainId: EvmChainId, token: Address): boolean => {
  const role = sandboxTokens(chainId).find(({ address }) => address === token)?.role
  return isNativeToken(token) || role === "usdc" || role === "usdt"
}

/**
 * Builds a transfer to Bitcoin without a source swap. Null if Chainflip has no Vault on the chain or does not accept
 * the token, or if the output is too small.
 */
export const intoBitcoinRouteOrNull = (request: IntoBitcoinRequest): LiFiRoute | null => {
  const { amountIn, chainId, tokenIn } = request
  const rate = rateOf(chainId, tokenIn)
  if (deploymentOf(chainId).lifi.chainflipVault === undefined || rate === undefined || !isAccepted(chainId, tokenIn)) {
    return null
  }
  const amountOut = satoshisFor(amountIn, rate)
  if (amountOut < MIN_SATOSHIS) return null
  const minAmountOut = (amountOut * (BPS - request.slippageBps)) / BPS
  const args = chainflipArgsOf(request, minAmountOut)
  return {
    tool: "chainflip",
    amountOut,
    minAmountOut,
    seconds: SECONDS,
    data: encodeFunctionData({ abi: chainflipFacetAbi, functionName: "startBridgeTokensViaChainflip", args }),
    value: isNativeToken(tokenIn) ? amountIn : 0n
  }
}
