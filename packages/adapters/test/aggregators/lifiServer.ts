import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { Address, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { Effect } from "effect"
import { type ContractFunctionArgs, encodeFunctionData, type Hex, pad, stringToHex, zeroAddress } from "viem"
import { type ChainflipArgs, chainflipArgsOf } from "../../sandbox/aggregators/lifi-bitcoin/intoBitcoin.ts"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { acrossFacetAbi, chainflipFacetAbi, feeAbi, genericSwapAbi } from "../../src/exchanges/aggregators/lifi/abi.ts"
import { close, listen } from "../support/localServer.ts"

export interface LiFiResponse {
  readonly status: number
  readonly text: string
  readonly retryAfter?: string
}

/** A step of a route, in the format of LI.FI's LibSwap. */
export interface SwapStep {
  readonly callTo: Hex
  readonly approveTo: Hex
  readonly sendingAssetId: Hex
  readonly receivingAssetId: Hex
  readonly fromAmount: bigint
  readonly callData: Hex
  readonly requiresDeposit: boolean
}

/** The parts of a transaction that the emulator encodes. */
export interface LiFiRoute {
  readonly receiver: Hex
  readonly minAmountOut: bigint
  readonly steps: ReadonlyArray<SwapStep>
}

export interface LiFiServer {
  readonly url: string
  readonly requests: Array<{
    readonly path: string
    readonly query: URLSearchParams
    readonly headers: IncomingHttpHeaders
  }>
  /** Responses for the next requests, one for each. */
  readonly injected: Array<LiFiResponse>
  /** The output amount of a route, in base units. */
  amountOut: bigint
  /** Changes a route before it is encoded. `cheatTransaction` changes a transaction after it is encoded. */
  cheat: ((route: LiFiRoute) => LiFiRoute) | null
  /** Changes a transfer to another chain. */
  cheatBridge: ((transfer: BridgeArgs) => BridgeArgs) | null
  /** Changes a transfer to Bitcoin. */
  cheatChainflip: ((transfer: ChainflipArgs) => ChainflipArgs) | null
  /** The reported minimum output, if it differs from the value that follows from the slippage. */
  minOut: bigint | null
  cheatTransaction: ((transaction: LiFiTransaction) => LiFiTransaction) | null
  /** The responses of `/status`, in order. The last one repeats. */
  readonly statuses: Array<unknown>
  readonly stop: () => Promise<void>
}

export interface LiFiTransaction {
  readonly to: Hex
  readonly data: Hex
  readonly value: string
}

const functionNames = {
  ERC20ToERC20: "swapTokensMultipleV3ERC20ToERC20",
  ERC20ToNative: "swapTokensMultipleV3ERC20ToNative",
  NativeToERC20: "swapTokensMultipleV3NativeToERC20"
} as const

/** Returns a route that swaps the amount after a fee of 0.25 %. */
const routeOf = (query: URLSearchParams, amountOut: bigint): LiFiRoute => {
  const { exchange, feeForwarder } = deploymentOf(1).lifi
  const [from, to] = [query.get("fromToken"), query.get("toToken")] as [Hex, Hex]
  const amount = BigInt(query.get("fromAmount")!)
  const fee = amount / 400n
  const slippage = BigInt(Math.round(Number(query.get("slippage")) * 10_000))
  const feeCallData = encodeFunctionData({
    abi: feeAbi,
    functionName: "forwardERC20Fees",
    args: [from, [{ recipient: `0x${"fe".repeat(20)}`, amount: fee }]]
  })
  return {
    receiver: query.get("toAddress") as Hex,
    minAmountOut: (amountOut * (10_000n - slippage)) / 10_000n,
    steps: [
      {
        callTo: feeForwarder,
        approveTo: feeForwarder,
        sendingAssetId: from,
        receivingAssetId: from,
        fromAmount: amount,
        callData: feeCallData,
        requiresDeposit: true
      },
      {
        callTo: exchange,
        approveTo: exchange,
        sendingAssetId: from,
        receivingAssetId: to,
        fromAmount: amount - fee,
        callData: "0x2646478b",
        requiresDeposit: false
      }
    ]
  }
}

const transactionOf = (query: URLSearchParams, { minAmountOut, receiver, steps }: LiFiRoute): LiFiTransaction => {
  const isNativeTokenIn = query.get("fromToken") === zeroAddress
  const kind = isNativeTokenIn
    ? "NativeToERC20"
    : query.get("toToken") === zeroAddress
      ? "ERC20ToNative"
      : "ERC20ToERC20"
  const data = encodeFunctionData({
    abi: genericSwapAbi,
    functionName: functionNames[kind],
    args: [pad(stringToHex("id")), query.get("integrator") ?? "", "", receiver, minAmountOut, [...steps]]
  })
  const value = isNativeTokenIn ? BigInt(query.get("fromAmount")!) : 0n
  return { to: deploymentOf(1).lifi.diamond, data, value: `0x${value.toString(16)}` }
}

export type BridgeArgs = ContractFunctionArgs<typeof acrossFacetAbi, "payable", "startBridgeTokensViaAcrossV4">

/** Returns a transfer through Across. Its calldata contains a fixed output amount. */
const bridgeTransactionOf = (
  query: URLSearchParams,
  amountOut: bigint,
  cheat: LiFiServer["cheatBridge"]
): LiFiTransaction => {
  const paddedParameter = (name: string) => pad(query.get(name) as Hex)
  const amount = BigInt(query.get("fromAmount")!)
  const isNativeTokenIn = query.get("fromToken") === zeroAddress
  const honestArgs: BridgeArgs = [
    {
      transactionId: pad(stringToHex("id")),
      bridge: "across",
      integrator: query.get("integrator") ?? "",
      referrer: zeroAddress,
      sendingAssetId: query.get("fromToken") as Hex,
      receiver: query.get("toAddress") as Hex,
      minAmount: amount,
      destinationChainId: BigInt(query.get("toChain")!),
      hasSourceSwaps: false,
      hasDestinationCall: false
    },
    {
      receiverAddress: paddedParameter("toAddress"),
      refundAddress: paddedParameter("fromAddress"),
      sendingAssetId: paddedParameter("fromToken"),
      receivingAssetId: paddedParameter("toToken"),
      outputAmount: amountOut,
      outputAmountMultiplier: 0n,
      exclusiveRelayer: pad("0x"),
      quoteTimestamp: 1_999_999_000,
      fillDeadline: 2_000_007_200,
      exclusivityParameter: 0,
      message: "0x"
    }
  ]
  const data = encodeFunctionData({
    abi: acrossFacetAbi,
    functionName: "startBridgeTokensViaAcrossV4",
    args: cheat === null ? honestArgs : cheat(honestArgs)
  })
  return { to: deploymentOf(1).lifi.diamond, data, value: `0x${(isNativeTokenIn ? amount : 0n).toString(16)}` }
}

/** Returns a transfer to Bitcoin through Chainflip, encoded like those of the sandbox's LI.FI. */
const chainflipTransactionOf = (
  query: URLSearchParams,
  minAmount: bigint,
  cheat: LiFiServer["cheatChainflip"]
): LiFiTransaction => {
  const isNativeTokenIn = query.get("fromToken") === zeroAddress
  const honestArgs = chainflipArgsOf(
    {
      chainId: 1,
      tokenIn: isNativeTokenIn ? NATIVE_TOKEN : Address.make(query.get("fromToken")!),
      amountIn: BigInt(query.get("fromAmount")!),
      sender: query.get("fromAddress") as Hex,
      receiver: query.get("toAddress")!,
      slippageBps: 0n,
      integrator: query.get("integrator") ?? ""
    },
    minAmount
  )
  const data = encodeFunctionData({
    abi: chainflipFacetAbi,
    functionName: "startBridgeTokensViaChainflip",
    args: cheat === null ? honestArgs : cheat(honestArgs)
  })
  return {
    to: deploymentOf(1).lifi.diamond,
    data,
    value: `0x${(isNativeTokenIn ? honestArgs[0].minAmount : 0n).toString(16)}`
  }
}

/** Serves LI.FI's API on a free port. A test can change or replace its responses. */
export const startLiFiServer = async (): Promise<LiFiServer> => {
  const responseOf = (path: string, query: URLSearchParams): LiFiResponse => {
    if (path === "/status") {
      const status = lifi.statuses.length > 1 ? lifi.statuses.shift() : lifi.statuses[0]
      return { status: 200, text: JSON.stringify(status ?? { status: "NOT_FOUND" }) }
    }
    if (path !== "/quote") return { status: 404, text: '{"message":"not found"}' }
    const route = routeOf(query, lifi.amountOut)
    const isCrossChain = query.get("fromChain") !== query.get("toChain")
    const isToBitcoin = query.get("toChain") === "20000000000001"
    const honestTransaction = isToBitcoin
      ? chainflipTransactionOf(query, route.minAmountOut, lifi.cheatChainflip)
      : isCrossChain
        ? bridgeTransactionOf(query, lifi.amountOut, lifi.cheatBridge)
        : transactionOf(query, lifi.cheat === null ? route : lifi.cheat(route))
    const transactionRequest =
      lifi.cheatTransaction === null ? honestTransaction : lifi.cheatTransaction(honestTransaction)
    const body = {
      id: "1",
      type: "lifi",
      tool: isCrossChain ? "across" : "lifidexaggregator",
      action: { fromAmount: query.get("fromAmount") },
      estimate: {
        toAmount: String(lifi.amountOut),
        toAmountMin: String(lifi.minOut ?? route.minAmountOut),
        approvalAddress: deploymentOf(1).lifi.diamond,
        executionDuration: isCrossChain ? 12 : 0,
        feeCosts: []
      },
      includedSteps: [],
      transactionRequest: { ...transactionRequest, chainId: 1, gasLimit: "0x0" }
    }
    return { status: 200, text: JSON.stringify(body) }
  }

  const server = createServer((request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://lifi")
    lifi.requests.push({ path, query, headers: request.headers })
    const { retryAfter, status, text } = lifi.injected.shift() ?? responseOf(path, query)
    if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter)
    response.writeHead(status, { "content-type": "application/json" }).end(text)
  })
  await Effect.runPromise(listen(server))
  const lifi: LiFiServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    injected: [],
    amountOut: 1_000_000n,
    cheat: null,
    cheatBridge: null,
    cheatChainflip: null,
    minOut: null,
    cheatTransaction: null,
    statuses: [],
    stop: () => Effect.runPromise(close(server))
  }
  return lifi
}
