import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { type Address, isNativeToken } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { concatHex, encodeFunctionData, type Hex, numberToHex, zeroAddress } from "viem"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { augustusAbi } from "../../src/exchanges/aggregators/index.ts"
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

const METHOD = "swapExactAmountIn"
const NATIVE_TOKEN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
/** Rejects the native token's address in lower case, as Velora's documentation states. */
const RequestedToken = EvmAddress.check(Schema.makeFilter((text: string) => text !== NATIVE_TOKEN))
const Decimals = Schema.String.check(Schema.isPattern(/^\d{1,2}$/u))

const decodeQuery = Schema.decodeUnknownOption(
  Schema.Struct({
    srcToken: RequestedToken,
    destToken: RequestedToken,
    srcDecimals: Decimals,
    destDecimals: Decimals,
    amount: WholeNumber,
    side: Schema.Literal("SELL"),
    network: Schema.String,
    version: Schema.Literal("6.2"),
    includeContractMethods: Schema.Literal(METHOD),
    excludeRFQ: Schema.Literal("true")
  })
)

const decodeBuild = Schema.decodeUnknownOption(
  Schema.Struct({
    priceRoute: Schema.Struct({
      network: Schema.Int,
      srcToken: EvmAddress,
      destToken: EvmAddress,
      srcAmount: WholeNumber,
      destAmount: WholeNumber,
      bestRoute: Schema.Array(
        Schema.Struct({
          swaps: Schema.Array(
            Schema.Struct({
              swapExchanges: Schema.Array(Schema.Struct({ data: Schema.Struct({ path: Schema.String }) }))
            })
          )
        })
      ),
      hmac: Schema.String
    }),
    srcToken: RequestedToken,
    destToken: RequestedToken,
    srcAmount: WholeNumber,
    destAmount: WholeNumber,
    userAddress: EvmAddress,
    receiver: Schema.optional(EvmAddress),
    deadline: Schema.optional(Schema.Int)
  })
)

const refusalResponse = (error: string): EmulatorResponse => ({ status: 400, body: { error } })

/** Flag that limits the surplus that Velora keeps to 1 % of the quoted amount. Velora sets this flag by default. */
const IS_CAPPED = 1n << 92n
const VALIDITY_SECONDS = 1_200

const servedChainOrNull = (text: string): EvmChainId | null =>
  evmChainIds.find((id) => String(id) === text && deploymentOf(id).veloraRouter !== undefined) ?? null

const prices = async (emulator: AggregatorEmulator, query: URLSearchParams): Promise<EmulatorResponse> => {
  const decodedQuery = decodeQuery(Object.fromEntries(query))
  if (decodedQuery._tag === "None") return refusalResponse("Validation failed with error")
  const { amount: srcAmount, destDecimals, network, srcDecimals } = decodedQuery.value
  const chainId = servedChainOrNull(network)
  if (chainId === null) return refusalResponse(`Validation failed: Invalid network ${network}`)
  const [srcToken, destToken] = [addressOf(decodedQuery.value.srcToken), addressOf(decodedQuery.value.destToken)]
  const poolSwap = { chainId, tokenIn: srcToken, tokenOut: destToken, amountIn: BigInt(srcAmount) }
  const route = await routeOrNull(emulator, poolSwap)
  if (route === null) return refusalResponse("No routes found with enough liquidity")
  const destAmount = String(route.amountOut)
  const tokens = { srcToken, srcDecimals: Number(srcDecimals), destToken, destDecimals: Number(destDecimals) }
  const exchange = { exchange: "UniswapV3", srcAmount, destAmount, percent: 100, data: { path: route.path } }
  const priceRoute = {
    blockNumber: emulator.nowSeconds(),
    network: chainId,
    ...tokens,
    srcAmount,
    destAmount,
    bestRoute: [{ percent: 100, swaps: [{ ...tokens, swapExchanges: [exchange] }] }],
    gasCostUSD: "0",
    gasCost: "300000",
    side: "SELL",
    version: "6.2",
    contractAddress: deploymentOf(chainId).veloraRouter,
    tokenTransferProxy: deploymentOf(chainId).veloraRouter,
    contractMethod: METHOD,
    partnerFee: 0,
    srcUSD: "0",
    destUSD: "0",
    partner: "anon",
    maxImpactReached: false
  }
  return { status: 200, body: { priceRoute: { ...priceRoute, hmac: checksumOf(priceRoute) } } }
}

const transactions = (emulator: AggregatorEmulator, chainId: EvmChainId | null, body: string): EmulatorResponse => {
  const json = jsonOrNull(body)
  const decodedBody = decodeBuild(json)
  if (decodedBody._tag === "None") return refusalResponse("Validation failed with error")
  const {
    deadline = emulator.nowSeconds() + VALIDITY_SECONDS,
    destAmount,
    priceRoute,
    ...requestFields
  } = decodedBody.value
  const { hmac, ...signedRoute } = (json as { readonly priceRoute: { readonly hmac: string } }).priceRoute
  if (checksumOf(signedRoute) !== hmac) return refusalResponse("Unable to process the transaction")
  if (chainId !== priceRoute.network) return refusalResponse("Network Mismatch")
  const [tokenIn, tokenOut] = [addressOf(requestFields.srcToken), addressOf(requestFields.destToken)] as [
    Address,
    Address
  ]
  if (tokenIn !== priceRoute.srcToken) return refusalResponse("Source Token Mismatch")
  if (tokenOut !== priceRoute.destToken) return refusalResponse("Destination Token Mismatch")
  if (requestFields.srcAmount !== priceRoute.srcAmount) return refusalResponse("Source Amount Mismatch")
  const [amountIn, quotedAmount] = [BigInt(requestFields.srcAmount), BigInt(priceRoute.destAmount)]
  const path = priceRoute.bestRoute[0]!.swaps[0]!.swapExchanges[0]!.data.path as Hex
  const router = deploymentOf(chainId).veloraRouter!
  const executorData = routeData(
    emulator,
    { chainId, tokenIn, tokenOut, amountIn, amountOut: quotedAmount, path },
    { recipient: router, deadline: BigInt(deadline) }
  )
  const [user, receiver] = [requestFields.userAddress, requestFields.receiver ?? requestFields.userAddress].map(
    addressOf
  ) as [Address, Address]
  const swap = {
    srcToken: tokenIn,
    destToken: tokenOut,
    fromAmount: amountIn,
    toAmount: BigInt(destAmount),
    quotedAmount,
    metadata: concatHex([numberToHex(0, { size: 16 }), numberToHex(emulator.nowSeconds(), { size: 16 })]),
    beneficiary: receiver === user ? zeroAddress : receiver
  }
  return {
    status: 200,
    body: {
      from: user,
      to: router,
      value: isNativeToken(tokenIn) ? String(amountIn) : "0",
      data: encodeFunctionData({
        abi: augustusAbi,
        functionName: METHOD,
        args: [routeExecutor, swap, IS_CAPPED, "0x", executorData]
      }),
      gasPrice: "1000000000",
      chainId
    }
  }
}

/** Emulates Velora's API for same-chain swaps, with routes through the sandbox's Uniswap V3 pools. */
export const veloraResponseOrNull: ResponseOrNull = async (emulator, { body, method, path, query }) => {
  if (method === "GET" && path === "/prices") return prices(emulator, query)
  const network = /^\/transactions\/(\d{1,9})$/u.exec(path)?.[1]
  return method === "POST" && network !== undefined && query.get("ignoreChecks") === "true"
    ? transactions(emulator, servedChainOrNull(network), body)
    : null
}
