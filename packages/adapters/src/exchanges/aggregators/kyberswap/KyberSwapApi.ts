import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type OfferError, type OfferRequest, type OfferTerms, RouteNotFound } from "@countersign/core/trading/swap"
import { Effect, Option, Schema } from "effect"
import { addressFromHex, bytesFromHex } from "../../../chains/evm/index.ts"
import { NumberText, parseVerbatimJson, Uint256Text } from "../../../outbound/json-api/index.ts"
import type { AggregatorHost } from "../AggregatorHost.ts"
import type { RouteTransaction } from "../RouteCall.ts"
import type { FoundRoute } from "../routingProvider.ts"
import { decodeResponse, HexAddress, HexData } from "../wire.ts"

export const NAME = "KyberSwap"

const RoutesResponse = Schema.Struct({
  data: Schema.Struct({
    routeSummary: Schema.Struct({
      tokenIn: HexAddress,
      tokenOut: HexAddress,
      amountIn: Uint256Text,
      amountOut: Uint256Text
    }),
    routerAddress: HexAddress
  })
})

const BuildResponse = Schema.Struct({
  data: Schema.Struct({ data: HexData, routerAddress: HexAddress, transactionValue: Schema.optional(Uint256Text) })
})

const Refusal = Schema.Struct({ code: NumberText, message: Schema.optional(Schema.String) })

/** Messages for the error codes that KyberSwap's documentation lists. */
const meanings: Readonly<Record<string, string>> = {
  "4008": "no route between these tokens for this amount",
  "4009": "the amount is too large",
  "4010": "no pool contains these tokens",
  "4011": "it does not support one of the tokens",
  "4221": "it does not support the wrapped native token",
  "4222": "the price of a market maker has become worse",
  "4227": "the swap can no longer be executed"
}

/** KyberSwap's chain names in API paths. */
const slugs: Readonly<Partial<Record<EvmChainId, string>>> = {
  1: "ethereum",
  10: "optimism",
  56: "bsc",
  137: "polygon",
  8453: "base",
  42161: "arbitrum",
  43114: "avalanche"
}

/** A route for an amount. The request for the transaction needs KyberSwap's unmodified summary. */
export interface KyberSwapRoute extends FoundRoute {
  readonly summary: unknown
}

const noRoute = (reason: string) => new RouteNotFound({ provider: NAME, reason })

/** Returns the reason in an error response. Code 0 means success. */
const reasonIn = (json: unknown): string | null => {
  const code = Option.getOrNull(Schema.decodeUnknownOption(Refusal)(json))?.code ?? "0"
  return code === "0" ? null : (meanings[code] ?? `it rejected the request with code ${code}`)
}

/**
 * Creates a client for KyberSwap's aggregator API, version 1. It returns a route first, and the transaction in a second
 * request.
 */
export const kyberSwapApi = (host: AggregatorHost, clientId: string) => ({
  route: Effect.fnUntraced(function* ({
    amountIn,
    tokenIn,
    tokenOut
  }: Pick<OfferRequest, "amountIn" | "tokenIn" | "tokenOut">): Effect.fn.Return<KyberSwapRoute, OfferError> {
    const query = new URLSearchParams({
      tokenIn: tokenIn.address,
      tokenOut: tokenOut.address,
      amountIn: String(amountIn)
    })
    const response = yield* host.ask(`/${slugs[tokenIn.chainId as EvmChainId]}/api/v1/routes?${query}`)
    const { data } = yield* decodeResponse(NAME, RoutesResponse, response, reasonIn)
    const summary = data.routeSummary
    const isRequestedSwap =
      addressFromHex(summary.tokenIn) === tokenIn.address &&
      addressFromHex(summary.tokenOut) === tokenOut.address &&
      BigInt(summary.amountIn) === amountIn
    if (!isRequestedSwap) return yield* noRoute("its route is for another swap than requested")
    const amountOut = BigInt(summary.amountOut)
    if (amountOut === 0n) return yield* noRoute("its output for this amount is zero")
    const { data: verbatimData } = parseVerbatimJson(response.text) as {
      readonly data: { readonly routeSummary: unknown }
    }
    return { amountOut, summary: verbatimData.routeSummary }
  }),

  /** Requests the transaction of a route. The API assumes a slippage of zero if none is specified. */
  build: Effect.fnUntraced(function* (
    chainId: EvmChainId,
    { summary }: KyberSwapRoute,
    { deadline, recipient, sender }: OfferTerms,
    slippageBps: number
  ): Effect.fn.Return<RouteTransaction, OfferError> {
    const body = JSON.stringify({
      routeSummary: summary,
      sender,
      recipient,
      slippageTolerance: slippageBps,
      deadline,
      source: clientId,
      enableGasEstimation: false
    })
    const response = yield* host.ask(`/${slugs[chainId]}/api/v1/route/build`, body)
    const { data } = yield* decodeResponse(NAME, BuildResponse, response, reasonIn)
    return {
      to: addressFromHex(data.routerAddress),
      value: BigInt(data.transactionValue ?? "0"),
      data: bytesFromHex(data.data)
    }
  })
})

export type KyberSwapApi = ReturnType<typeof kyberSwapApi>
