import type { EvmChainId } from "@countersign/core/chains"
import { UpstreamUnavailable } from "@countersign/core/errors"
import { type OfferError, type OfferRequest, type OfferTerms, RouteNotFound } from "@countersign/core/swap"
import { Effect, Option, Schema } from "effect"
import { addressFromHex, bytesFromHex } from "../../evm/index.ts"
import { NumberText } from "../../json-api/index.ts"
import type { AggregatorAnswer, AggregatorHost } from "../AggregatorHost.ts"
import type { RouteTransaction } from "../RouteCall.ts"

export const NAME = "KyberSwap"

const WholeNumber = Schema.String.check(Schema.isPattern(/^\d{1,78}$/u))
const HexAddress = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u))
const HexData = Schema.String.check(Schema.isPattern(/^0x(?:[0-9a-fA-F]{2})+$/u))

const RoutesAnswer = Schema.Struct({
  data: Schema.Struct({
    routeSummary: Schema.Struct({
      tokenIn: HexAddress,
      tokenOut: HexAddress,
      amountIn: WholeNumber,
      amountOut: WholeNumber
    }),
    routerAddress: HexAddress
  })
})

const BuildAnswer = Schema.Struct({
  data: Schema.Struct({ data: HexData, routerAddress: HexAddress, transactionValue: Schema.optional(WholeNumber) })
})

const Refusal = Schema.Struct({ code: NumberText, message: Schema.optional(Schema.String) })

/** What the codes of its documentation mean for somebody who wants to swap. */
const meanings: Readonly<Record<string, string>> = {
  "4008": "no route between these tokens for this amount",
  "4009": "the amount is too large",
  "4010": "no pool has these tokens",
  "4011": "it does not know one of the tokens",
  "4221": "the wrapped coin is not known there",
  "4222": "a market maker's price has become worse",
  "4227": "the swap can't be executed any more"
}

/** The slugs of the chains that it serves, in the paths of its API. */
const slugs: Readonly<Partial<Record<EvmChainId, string>>> = {
  1: "ethereum",
  10: "optimism",
  56: "bsc",
  137: "polygon",
  8453: "base",
  42161: "arbitrum",
  43114: "avalanche"
}

/** A route for an amount, and its summary just as the API wrote it. */
export interface KyberSwapRoute {
  readonly amountOut: bigint
  readonly summary: unknown
}

const noRoute = (reason: string) => new RouteNotFound({ provider: NAME, reason })

const { rawJSON } = JSON as typeof JSON & { readonly rawJSON: (text: string) => unknown }

/** Parses JSON so that it is written again digit by digit. */
const verbatim = (text: string): { readonly data: { readonly routeSummary: unknown } } =>
  JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === "number" && context?.source !== undefined ? rawJSON(context.source) : value
  )

const refusalOf = ({ json, status }: AggregatorAnswer): RouteNotFound => {
  const refusal = Option.getOrNull(Schema.decodeUnknownOption(Refusal)(json))
  return noRoute(
    refusal === null
      ? `it refused with HTTP status ${status}`
      : (meanings[refusal.code] ?? `it refused with code ${refusal.code}`)
  )
}

const malformed = new UpstreamUnavailable({ upstream: NAME, reason: "its answer has an unexpected form" })

const decodedAs = <A>(schema: Schema.Codec<A, unknown>, answer: AggregatorAnswer): Effect.Effect<A, OfferError> => {
  if (answer.status !== 200) return Effect.fail(refusalOf(answer))
  const found = Schema.decodeUnknownOption(schema)(answer.json)
  if (Option.isSome(found)) return Effect.succeed(found.value)
  const refusal = Option.getOrNull(Schema.decodeUnknownOption(Refusal)(answer.json))
  return Effect.fail(refusal === null || refusal.code === "0" ? malformed : refusalOf(answer))
}

/** KyberSwap's aggregator API, version 1: a route first, then its call. */
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
    const answer = yield* host.ask(`/${slugs[tokenIn.chainId as EvmChainId]}/api/v1/routes?${query}`)
    const { data } = yield* decodedAs(RoutesAnswer, answer)
    const summary = data.routeSummary
    const isAsked =
      addressFromHex(summary.tokenIn) === tokenIn.address &&
      addressFromHex(summary.tokenOut) === tokenOut.address &&
      BigInt(summary.amountIn) === amountIn
    if (!isAsked) return yield* noRoute("its route is for another swap than was asked for")
    const amountOut = BigInt(summary.amountOut)
    if (amountOut === 0n) return yield* noRoute("it gives nothing for this amount")
    return { amountOut, summary: verbatim(answer.text).data.routeSummary }
  }),

  /** The transaction of a route. Without a slippage the API would take none to be allowed. */
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
    const { data } = yield* decodedAs(BuildAnswer, yield* host.ask(`/${slugs[chainId]}/api/v1/route/build`, body))
    return {
      to: addressFromHex(data.routerAddress),
      value: BigInt(data.transactionValue ?? "0"),
      data: bytesFromHex(data.data)
    }
  })
})

export type KyberSwapApi = ReturnType<typeof kyberSwapApi>
