import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, isNativeToken } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { encodeFunctionData, type Hex, stringToHex } from "viem"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { kyberSwapRouterAbi } from "../../src/exchanges/aggregators/index.ts"
import { routeExecutor } from "../deployment/aggregators.ts"
import {
  type AggregatorEmulator,
  addressOf,
  checksumOf,
  type EmulatorResponse,
  EvmAddress,
  jsonOrNull,
  type ResponseOrNull,
  routeData,
  routeOrNull,
  WholeNumber
} from "./emulator.ts"

const chainIds: Readonly<Record<string, EvmChainId>> = {
  ethereum: 1,
  optimism: 10,
  bsc: 56,
  polygon: 137,
  base: 8453,
  arbitrum: 42161,
  avalanche: 43114
}

const decodeQuery = Schema.decodeUnknownOption(
  Schema.Struct({ tokenIn: EvmAddress, tokenOut: EvmAddress, amountIn: WholeNumber })
)
const decodeBuild = Schema.decodeUnknownOption(
  Schema.Struct({
    routeSummary: Schema.Struct({
      tokenIn: EvmAddress,
      tokenOut: EvmAddress,
      amountIn: WholeNumber,
      amountOut: WholeNumber,
      checksum: Schema.String,
      route: Schema.Array(Schema.Array(Schema.Struct({ poolExtra: Schema.Struct({ path: Schema.String }) })))
    }),
    sender: EvmAddress,
    recipient: EvmAddress,
    slippageTolerance: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000 }))),
    deadline: Schema.optional(Schema.Int)
  })
)

const REQUEST_ID = "sandbox"
const refusalResponse = (status: number, code: number, message: string): EmulatorResponse => ({
  status,
  body: { code, message, requestId: REQUEST_ID }
})
const successResponse = (data: unknown): EmulatorResponse => ({
  status: 200,
  body: { code: 0, message: "successfully", data, requestId: REQUEST_ID }
})

const routes = async (
  emulator: AggregatorEmulator,
  chainId: EvmChainId,
  query: URLSearchParams
): Promise<EmulatorResponse> => {
  const decodedQuery = decodeQuery(Object.fromEntries(query))
  if (decodedQuery._tag === "None") return refusalResponse(400, 4001, "unable to bind query parameters")
  const [tokenIn, tokenOut] = [addressOf(decodedQuery.value.tokenIn), addressOf(decodedQuery.value.tokenOut)]
  const amountIn = BigInt(decodedQuery.value.amountIn)
  const route = await routeOrNull(emulator, { chainId, tokenIn, tokenOut, amountIn })
  if (route === null) return refusalResponse(400, 4008, "route not found")
  const amountOut = String(route.amountOut)
  const summary = {
    tokenIn,
    amountIn: String(amountIn),
    amountInUsd: "0",
    tokenOut,
    amountOut,
    amountOutUsd: "0",
    gas: "300000",
    gasPrice: "1000000000",
    gasUsd: "0",
    extraFee: { feeAmount: "0", chargeFeeBy: "", isInBps: false, feeReceiver: "" },
    route: [
      [
        {
          pool: deploymentOf(chainId).uniswapV3.swapRouter02,
          tokenIn,
          tokenOut,
          swapAmount: String(amountIn),
          amountOut,
          exchange: "uniswapv3",
          poolType: "uniswapv3",
          poolExtra: { path: route.path, share: 1.0 },
          extra: null
        }
      ]
    ],
    routeID: `${REQUEST_ID}:${emulator.nowSeconds()}`,
    timestamp: emulator.nowSeconds()
  }
  return successResponse({
    routeSummary: { ...summary, checksum: checksumOf(summary) },
    routerAddress: deploymentOf(chainId).kyberSwapRouter
  })
}

const build = (emulator: AggregatorEmulator, chainId: EvmChainId, body: string): EmulatorResponse => {
  const json = jsonOrNull(body)
  const decodedBody = decodeBuild(json)
  if (decodedBody._tag === "None") return refusalResponse(400, 4002, "unable to bind request body")
  const { deadline, recipient: recipientText, routeSummary, slippageTolerance = 0 } = decodedBody.value
  const { checksum, ...summary } = (json as { readonly routeSummary: { readonly checksum: string } }).routeSummary
  if (checksumOf(summary) !== checksum) return refusalResponse(400, 4000, "bad request")
  const [tokenIn, tokenOut, recipient] = [routeSummary.tokenIn, routeSummary.tokenOut, recipientText].map(
    addressOf
  ) as [Address, Address, Address]
  const [amountIn, amountOut] = [BigInt(routeSummary.amountIn), BigInt(routeSummary.amountOut)]
  const path = routeSummary.route[0]![0]!.poolExtra.path as Hex
  const targetData = routeData(
    emulator,
    { chainId, tokenIn, tokenOut, amountIn, amountOut, path },
    { recipient, deadline: BigInt(deadline ?? emulator.nowSeconds() + 1_200) }
  )
  const isNativeTokenIn = isNativeToken(tokenIn)
  const data = encodeFunctionData({
    abi: kyberSwapRouterAbi,
    functionName: "swap",
    args: [
      {
        callTarget: routeExecutor,
        approveTarget: "0x0000000000000000000000000000000000000000",
        targetData,
        desc: {
          srcToken: tokenIn,
          dstToken: tokenOut,
          srcReceivers: isNativeTokenIn ? [] : [routeExecutor],
          srcAmounts: isNativeTokenIn ? [] : [amountIn],
          feeReceivers: [],
          feeAmounts: [],
          dstReceiver: recipient,
          amount: amountIn,
          minReturnAmount: (amountOut * BigInt(10_000 - slippageTolerance)) / 10_000n,
          flags: 0n,
          permit: "0x"
        },
        clientData: stringToHex(JSON.stringify({ Source: REQUEST_ID, AmountOut: String(amountOut) }))
      }
    ]
  })
  return successResponse({
    amountIn: String(amountIn),
    amountInUsd: "0",
    amountOut: String(amountOut),
    amountOutUsd: "0",
    gas: "300000",
    gasUsd: "0",
    outputChange: { amount: "0", percent: 0, level: 0 },
    data,
    routerAddress: deploymentOf(chainId).kyberSwapRouter,
    transactionValue: isNativeTokenIn ? String(amountIn) : "0"
  })
}

/**
 * Emulates KyberSwap's aggregator API with routes through the sandbox's Uniswap V3 pools. Paths start with the chain's
 * slug.
 */
export const kyberSwapResponseOrNull: ResponseOrNull = async (emulator, { body, method, path, query }) => {
  const [, slug = "", action = ""] = /^\/([\w-]+)\/api\/v1\/(routes|route\/build)$/u.exec(path) ?? []
  if (action === "") return null
  const chainId = chainIds[slug]
  if (chainId === undefined) return { status: 404, body: { message: "not found" } }
  if (action === "routes") return method === "GET" ? routes(emulator, chainId, query) : null
  return method === "POST" ? build(emulator, chainId, body) : null
}
