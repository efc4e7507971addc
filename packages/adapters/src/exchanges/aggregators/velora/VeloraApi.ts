import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, isNativeToken } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { type OfferError, type OfferTerms, RouteNotFound } from "@countersign/core/trading/swap"
import { Effect, Option, Schema } from "effect"
import { addressFromHex, bytesFromHex } from "../../../chains/evm/index.ts"
import { parseVerbatimJson, Uint256Text } from "../../../outbound/json-api/index.ts"
import type { AggregatorHost } from "../AggregatorHost.ts"
import type { RouteTransaction } from "../RouteCall.ts"
import type { FoundRoute } from "../routingProvider.ts"
import { decodeResponse, HexAddress, HexData, plainText } from "../wire.ts"

export const NAME = "Velora"

const PricesResponse = Schema.Struct({
  priceRoute: Schema.Struct({
    srcToken: HexAddress,
    destToken: HexAddress,
    srcAmount: Uint256Text,
    destAmount: Uint256Text
  })
})

const TransactionResponse = Schema.Struct({ to: HexAddress, value: Uint256Text, data: HexData })

const Refusal = Schema.Struct({ error: Schema.String })

/** Messages for the most common errors that Velora's documentation lists. */
const meanings: ReadonlyArray<readonly [RegExp, string]> = [
  [/^no routes found with enough liquidity$/iu, "no route between these tokens for this amount"],
  [/^estimated_loss_greater_than_max_impact$/iu, "the price impact of this amount is too high"],
  [/^bad usd price$/iu, "it has no price for one of the tokens"],
  [/^amount \d+ is too small to proceed$/iu, "the amount is too small"],
  [/rate has changed, please re-query/iu, "its price has changed since the request"]
]

const reasonIn = (json: unknown): string | null => {
  const refusal = Option.getOrNull(Schema.decodeUnknownOption(Refusal)(json))
  if (refusal === null) return null
  const [, meaning] = meanings.find(([text]) => text.test(refusal.error)) ?? []
  return meaning ?? plainText(refusal.error)
}

/** Formats a token address for Velora, which expects the native token in mixed case. */
const tokenAddressText = (token: Address): string =>
  isNativeToken(token) ? "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE" : token

type RequestedToken = Pick<Token, "chainId" | "address" | "decimals">

interface RequestedSwap {
  readonly tokenIn: RequestedToken
  readonly tokenOut: RequestedToken
  readonly amountIn: bigint
}

const tokensOf = ({ tokenIn, tokenOut }: RequestedSwap) => ({
  srcToken: tokenAddressText(tokenIn.address),
  srcDecimals: tokenIn.decimals,
  destToken: tokenAddressText(tokenOut.address),
  destDecimals: tokenOut.decimals
})

export const pricesPath = (swap: RequestedSwap): string => {
  const query = {
    ...tokensOf(swap),
    amount: swap.amountIn,
    side: "SELL",
    network: swap.tokenIn.chainId,
    version: "6.2",
    includeContractMethods: "swapExactAmountIn",
    excludeRFQ: true
  }
  return `/prices?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`
}

/** A route for an amount, as the API returns it. */
export interface VeloraRoute extends FoundRoute {
  readonly priceRoute: unknown
}

const noRoute = (reason: string) => new RouteNotFound({ provider: NAME, reason })

/** Base units of the output that Augustus keeps. */
const RETAINED_UNITS = 1n

/**
 * Creates a client for Velora's API for same-chain swaps, version 6.2. It returns a price first, and the transaction in a
 * second request. Quotes of market makers are excluded: they are bound to the sender of the transaction, and here the
 * sender is a bundler that is not known in advance.
 */
export const veloraApi = (host: AggregatorHost) => ({
  route: Effect.fnUntraced(function* (swap: RequestedSwap): Effect.fn.Return<VeloraRoute, OfferError> {
    const response = yield* host.ask(pricesPath(swap))
    const { priceRoute } = yield* decodeResponse(NAME, PricesResponse, response, reasonIn)
    const isRequestedSwap =
      addressFromHex(priceRoute.srcToken) === swap.tokenIn.address &&
      addressFromHex(priceRoute.destToken) === swap.tokenOut.address &&
      BigInt(priceRoute.srcAmount) === swap.amountIn
    if (!isRequestedSwap) return yield* noRoute("its route is for another swap than requested")
    const amountOut = BigInt(priceRoute.destAmount) - RETAINED_UNITS
    if (amountOut <= 0n) return yield* noRoute("its output for this amount is zero")
    return { amountOut, priceRoute: (parseVerbatimJson(response.text) as typeof PricesResponse.Type).priceRoute }
  }),

  /**
   * Requests the transaction of a route. Velora's balance and allowance checks are disabled, because the operation
   * itself sets the approval.
   */
  transaction: Effect.fnUntraced(function* (
    chainId: EvmChainId,
    swap: RequestedSwap,
    { priceRoute }: VeloraRoute,
    { deadline, minAmountOut, recipient, sender }: OfferTerms
  ): Effect.fn.Return<RouteTransaction, OfferError> {
    const body = JSON.stringify({
      ...tokensOf(swap),
      srcAmount: String(swap.amountIn),
      destAmount: String(minAmountOut + RETAINED_UNITS),
      priceRoute,
      userAddress: sender,
      receiver: recipient,
      deadline
    })
    const response = yield* host.ask(`/transactions/${chainId}?ignoreChecks=true`, body)
    const { data, to, value } = yield* decodeResponse(NAME, TransactionResponse, response, reasonIn)
    return { to: addressFromHex(to), value: BigInt(value), data: bytesFromHex(data) }
  })
})
