import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { Result, Schema } from "effect"
import { type Hex, zeroAddress } from "viem"
import { decodeAddress } from "../../src/chains/bitcoin/readAddress.ts"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { LIFI_BITCOIN, LIFI_BITCOIN_TOKEN } from "../../src/exchanges/aggregators/index.ts"
import type { RelayerMode } from "../across/RelayerSettings.ts"
import { type AggregatorEmulator, type EmulatorResponse, EvmAddress, WholeNumber } from "./emulator.ts"
import { intoBitcoinRouteOrNull } from "./lifi-bitcoin/intoBitcoin.ts"
import { type BitcoinData, outOfBitcoin } from "./lifi-bitcoin/outOfBitcoin.ts"
import { bridgedRouteOrNull } from "./lifiBridge.ts"
import { type LiFiRequest, type LiFiRoute, swapRouteOrNull } from "./lifiSwap.ts"
import { INVALID, NO_QUOTE, refusal, Slippage, slippageBpsOf } from "./lifiWire.ts"

export interface LiFiEmulator extends AggregatorEmulator {
  readonly relayer: () => RelayerMode
  /** Bitcoin data. Without it, no transfer from or to Bitcoin gets a quote. */
  readonly bitcoin?: BitcoinData
}

const decodeQuery = Schema.decodeUnknownOption(
  Schema.Struct({
    fromChain: Schema.String,
    toChain: Schema.String,
    fromToken: EvmAddress,
    toToken: Schema.Union([EvmAddress, Schema.Literal(LIFI_BITCOIN_TOKEN)]),
    fromAmount: WholeNumber,
    fromAddress: EvmAddress,
    toAddress: Schema.String,
    slippage: Schema.optional(Slippage),
    integrator: Schema.optional(Schema.String)
  })
)
type QuoteQuery = Extract<ReturnType<typeof decodeQuery>, { readonly _tag: "Some" }>["value"]

const chainOf = (text: string): EvmChainId | undefined => evmChainIds.find((chainId) => String(chainId) === text)

/** Parses a token address. The zero address and the 0xEeee… address both mean the native token. */
const tokenOf = (text: string): Address => {
  const address = text.toLowerCase()
  return address === zeroAddress ? NATIVE_TOKEN : Address.make(address)
}

const isEvmAddress = Schema.is(EvmAddress)

/**
 * Finds the route from an EVM chain to the same chain, another EVM chain, or Bitcoin. Returns an error text if the
 * request is invalid, and null if there is no route.
 */
const routeOf = async (
  emulator: LiFiEmulator,
  chainId: EvmChainId,
  { fromAddress, fromAmount, fromToken, integrator = "", slippage, toAddress, toChain, toToken }: QuoteQuery
): Promise<LiFiRoute | string | null> => {
  const requestFields = {
    chainId,
    tokenIn: tokenOf(fromToken),
    amountIn: BigInt(fromAmount),
    sender: fromAddress.toLowerCase() as Hex,
    slippageBps: slippageBpsOf(slippage),
    integrator
  }
  if (toChain === LIFI_BITCOIN) {
    if (toToken !== LIFI_BITCOIN_TOKEN || Result.isFailure(decodeAddress(toAddress))) return "Invalid toAddress"
    const isOpen = emulator.bitcoin !== undefined && !emulator.bitcoin.isHalted()
    return isOpen ? intoBitcoinRouteOrNull({ ...requestFields, receiver: toAddress }) : null
  }
  const chainIdOut = chainOf(toChain)
  if (chainIdOut === undefined) return "Unknown chain"
  if (!isEvmAddress(toAddress) || toToken === LIFI_BITCOIN_TOKEN) return "Invalid toAddress or toToken"
  const request: LiFiRequest = {
    ...requestFields,
    chainIdOut,
    tokenOut: tokenOf(toToken),
    receiver: toAddress.toLowerCase() as Hex
  }
  return chainId === chainIdOut ? swapRouteOrNull(emulator, request) : bridgedRouteOrNull(emulator, request)
}

const noQuote = refusal(404, NO_QUOTE, "No available quotes for the requested transfer")

const quote = async (emulator: LiFiEmulator, query: URLSearchParams): Promise<EmulatorResponse> => {
  if (query.get("fromChain") === LIFI_BITCOIN) {
    return emulator.bitcoin === undefined ? noQuote : outOfBitcoin(emulator.bitcoin, query)
  }
  const decodedQuery = decodeQuery(Object.fromEntries(query))
  if (decodedQuery._tag === "None") return refusal(400, INVALID, "Invalid parameters")
  const { fromAddress, fromAmount, toAddress, toChain } = decodedQuery.value
  const chainId = chainOf(decodedQuery.value.fromChain)
  if (chainId === undefined) return refusal(400, INVALID, "Unknown chain")
  const route = await routeOf(emulator, chainId, decodedQuery.value)
  if (typeof route === "string") return refusal(400, INVALID, route)
  if (route === null) return noQuote
  const { diamond } = deploymentOf(chainId).lifi
  return {
    status: 200,
    body: {
      id: "sandbox",
      type: "lifi",
      tool: route.tool,
      action: { fromChainId: chainId, toChainId: Number(toChain), fromAmount, fromAddress, toAddress },
      estimate: {
        tool: route.tool,
        fromAmount,
        toAmount: String(route.amountOut),
        toAmountMin: String(route.minAmountOut),
        approvalAddress: diamond,
        executionDuration: route.seconds,
        feeCosts: [],
        gasCosts: []
      },
      includedSteps: [],
      transactionRequest: {
        from: fromAddress,
        to: diamond,
        chainId,
        data: route.data,
        value: `0x${route.value.toString(16)}`,
        gasPrice: "0x1",
        gasLimit: "0x0"
      }
    }
  }
}

const bridges = [
  { key: "across", name: "Across" },
  { key: "chainflip", name: "Chainflip" }
]

/** Emulates version 1 of LI.FI's API with the sandbox's pools and SpokePools. Null for another path. */
export const lifiResponseOrNull = async (
  emulator: LiFiEmulator,
  method: string,
  path: string,
  query: URLSearchParams
): Promise<EmulatorResponse | null> => {
  if (method !== "GET") return null
  if (path === "/tools") return { status: 200, body: { bridges, exchanges: [] } }
  return path === "/quote" ? quote(emulator, query) : null
}
