import type { EvmChainId } from "@countersign/core/chains"
import { Address, isNativeCoin } from "@countersign/core/primitives"
import { Schema } from "effect"
import { encodeFunctionData, type Hex, keccak256, stringToHex } from "viem"
import { kyberSwapRouterAbi } from "../../src/aggregators/index.ts"
import { deploymentOf } from "../../src/deployments/index.ts"
import { kyberSwapExecutor } from "../deployment/kyberSwap.ts"
import { executorData, makerCalls, poolCalls } from "./executorCalls.ts"
import { bestPoolPath, type EmulatorChain } from "./poolPaths.ts"

export interface EmulatorAnswer {
  readonly status: number
  readonly body: unknown
}

/** A request as KyberSwap's API gets it. */
export interface KyberSwapRequest {
  readonly method: string
  /** With the slug of the chain, and without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
}

export interface KyberSwapEmulator {
  readonly chain: (chainId: EvmChainId) => EmulatorChain
  readonly nowSeconds: () => number
  /** By how many hundredths of a percent a market maker gives more than the pools. */
  readonly makerBps?: bigint
}

const chainIds: Readonly<Record<string, EvmChainId>> = {
  ethereum: 1,
  optimism: 10,
  bsc: 56,
  polygon: 137,
  base: 8453,
  arbitrum: 42161,
  avalanche: 43114
}

const LowerCaseAddress = Schema.String.pipe(Schema.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u)))
const WholeNumber = Schema.String.check(Schema.isPattern(/^[1-9]\d{0,77}$/u))
const decodeAsked = Schema.decodeUnknownOption(
  Schema.Struct({ tokenIn: LowerCaseAddress, tokenOut: LowerCaseAddress, amountIn: WholeNumber })
)
const decodeBuild = Schema.decodeUnknownOption(
  Schema.Struct({
    routeSummary: Schema.Struct({
      tokenIn: LowerCaseAddress,
      tokenOut: LowerCaseAddress,
      amountIn: WholeNumber,
      amountOut: WholeNumber,
      checksum: Schema.String,
      route: Schema.Array(Schema.Array(Schema.Struct({ poolExtra: Schema.Struct({ path: Schema.String }) })))
    }),
    sender: LowerCaseAddress,
    recipient: LowerCaseAddress,
    slippageTolerance: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000 }))),
    deadline: Schema.optional(Schema.Int)
  })
)

const REQUEST_ID = "sandbox"
const refused = (status: number, code: number, message: string): EmulatorAnswer => ({
  status,
  body: { code, message, requestId: REQUEST_ID }
})
const answered = (data: unknown): EmulatorAnswer => ({
  status: 200,
  body: { code: 0, message: "successfully", data, requestId: REQUEST_ID }
})

const addressOf = (text: string): Address => Address.make(text.toLowerCase())
const checksumOf = (summary: object): Hex => keccak256(stringToHex(JSON.stringify(summary)))

/** The maker makes what it gives, and nobody makes coin, wrapped or not. */
const makerBpsOf = ({ makerBps = 0n }: KyberSwapEmulator, chainId: EvmChainId, tokenOut: Address): bigint =>
  isNativeCoin(tokenOut) || tokenOut === deploymentOf(chainId).wrappedNative.address ? 0n : makerBps

const routes = async (
  emulator: KyberSwapEmulator,
  chainId: EvmChainId,
  query: URLSearchParams
): Promise<EmulatorAnswer> => {
  const asked = decodeAsked(Object.fromEntries(query))
  if (asked._tag === "None") return refused(400, 4001, "unable to bind query parameters")
  const [tokenIn, tokenOut] = [addressOf(asked.value.tokenIn), addressOf(asked.value.tokenOut)]
  const amountIn = BigInt(asked.value.amountIn)
  const found = await bestPoolPath(emulator.chain(chainId), chainId, { tokenIn, tokenOut }, amountIn)
  if (found === null) return refused(400, 4008, "route not found")
  const more = (found.amountOut * makerBpsOf(emulator, chainId, tokenOut)) / 10_000n
  const amountOut = String(found.amountOut + more)
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
          poolExtra: { path: found.path, share: 1.0 },
          extra: null
        }
      ]
    ],
    routeID: `${REQUEST_ID}:${emulator.nowSeconds()}`,
    timestamp: emulator.nowSeconds()
  }
  return answered({
    routeSummary: { ...summary, checksum: checksumOf(summary) },
    routerAddress: deploymentOf(chainId).kyberSwapRouter
  })
}

const jsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const build = (emulator: KyberSwapEmulator, chainId: EvmChainId, body: string): EmulatorAnswer => {
  const json = jsonOrNull(body)
  const decoded = decodeBuild(json)
  if (decoded._tag === "None") return refused(400, 4002, "unable to bind request body")
  const { deadline, recipient: recipientText, routeSummary, slippageTolerance = 0 } = decoded.value
  const { checksum, ...summary } = (json as { readonly routeSummary: { readonly checksum: string } }).routeSummary
  if (checksumOf(summary) !== checksum) return refused(400, 4000, "bad request")
  const [tokenIn, tokenOut, recipient] = [routeSummary.tokenIn, routeSummary.tokenOut, recipientText].map(
    addressOf
  ) as [Address, Address, Address]
  const [amountIn, amountOut] = [BigInt(routeSummary.amountIn), BigInt(routeSummary.amountOut)]
  const path = routeSummary.route[0]![0]!.poolExtra.path as Hex
  const makerBps = makerBpsOf(emulator, chainId, tokenOut)
  // What the maker adds is a share of what the pools gave when the route was found.
  const more = amountOut - (amountOut * 10_000n) / (10_000n + makerBps)
  const targetData = executorData(BigInt(deadline ?? emulator.nowSeconds() + 1_200), [
    ...poolCalls({ chainId, tokenIn, tokenOut, amountIn, path, recipient }),
    ...(more === 0n ? [] : makerCalls(tokenOut, more, recipient))
  ])
  const isCoinIn = isNativeCoin(tokenIn)
  const data = encodeFunctionData({
    abi: kyberSwapRouterAbi,
    functionName: "swap",
    args: [
      {
        callTarget: kyberSwapExecutor,
        approveTarget: "0x0000000000000000000000000000000000000000",
        targetData,
        desc: {
          srcToken: tokenIn,
          dstToken: tokenOut,
          srcReceivers: isCoinIn ? [] : [kyberSwapExecutor],
          srcAmounts: isCoinIn ? [] : [amountIn],
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
  return answered({
    amountIn: String(amountIn),
    amountInUsd: "0",
    amountOut: String(amountOut),
    amountOutUsd: "0",
    gas: "300000",
    gasUsd: "0",
    outputChange: { amount: "0", percent: 0, level: 0 },
    data,
    routerAddress: deploymentOf(chainId).kyberSwapRouter,
    transactionValue: isCoinIn ? String(amountIn) : "0"
  })
}

/** What KyberSwap's aggregator API answers, over the pools of Uniswap V3 on the sandbox's chains; null for another path. */
export const kyberSwapAnswerOrNull = async (
  emulator: KyberSwapEmulator,
  { body, method, path, query }: KyberSwapRequest
): Promise<EmulatorAnswer | null> => {
  const [, slug = "", action = ""] = /^\/([\w-]+)\/api\/v1\/(routes|route\/build)$/u.exec(path) ?? []
  if (action === "") return null
  const chainId = chainIds[slug]
  if (chainId === undefined) return { status: 404, body: { message: "not found" } }
  if (action === "routes") return method === "GET" ? routes(emulator, chainId, query) : null
  return method === "POST" ? build(emulator, chainId, body) : null
}
