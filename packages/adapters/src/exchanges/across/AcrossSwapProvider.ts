import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import type { HexBytes } from "@countersign/core/foundation/primitives"
import { inclusionEstimateMs } from "@countersign/core/operations/user-operations"
import {
  minAmountOutRoundingDown,
  type Offer,
  type OfferError,
  type OfferRequest,
  type OfferTerms,
  type RouteHop,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/trading/swap"
import { Effect } from "effect"
import { acrossOrNull } from "../../chains/deployments/index.ts"
import { RpcClients } from "../../chains/evm/index.ts"
import type { AcrossFees, BridgeFees, BridgeRequest } from "./AcrossFees.ts"
import { acrossFillStage } from "./AcrossFillStage.ts"
import type { ArrivalMessage } from "./ArrivalMessage.ts"
import { type AcrossRoute, acrossRouteOrNull, isDirect } from "./acrossRoute.ts"
import { arrivalMessage, placeholderMessage } from "./arrivalSwap.ts"
import { bridgedAmountRoundingDown, bridgeFeeRoundingUp } from "./bridgedAmount.ts"
import { depositCalls } from "./depositCalls.ts"
import type { FillTimes } from "./FillTimes.ts"
import { ACROSS_FILL, fillState } from "./fillState.ts"
import { nativeDelivery } from "./nativeDelivery.ts"

const NAME = "Across"
/** Maximum age, in milliseconds, of the destination chain's head. */
const HEAD_AGE_MS = 2_000

/** Slippage tolerance of the swap before a deposit, in percent. It is the minimum that a request can specify. */
const SWAP_SLIPPAGE_PERCENT = 0.5

export interface AcrossOptions {
  readonly fees: AcrossFees
  /** Quotes same-chain swaps from or to tokens that Across does not bridge. */
  readonly swaps: Pick<SwapProvider, "offer">
  readonly isServed: (chainId: EvmChainId) => boolean
  readonly integratorId: HexBytes | null
  readonly times: FillTimes
}

/** The data of an offer that are the same for all of its amounts. */
interface Terms {
  readonly route: AcrossRoute
  readonly fees: BridgeFees
  /** The destination chain's head at the time of the quote. */
  readonly fromBlock: bigint
  /** The swap before the deposit; null if the token is deposited directly. */
  readonly swap: Offer | null
  /** The swap after the fill; null if the filled token is the requested token. */
  readonly arrival: Offer | null
  /** Whether `fees` include the gas to wrap or unwrap the native token. */
  readonly isDelivered: boolean
}

const noRoute = (reason: string) => new RouteNotFound({ provider: NAME, reason })

/**
 * Returns the amount to deposit. After a swap it is only the guaranteed output of the swap. The excess stays in the
 * wallet.
 */
const depositAmountRoundingDown = (amountIn: bigint, swap: Offer | null): bigint =>
  swap === null ? amountIn : minAmountOutRoundingDown(swap.amountOut, SWAP_SLIPPAGE_PERCENT)

const bridgeHop = (
  { tokenIn, tokenOut }: OfferRequest,
  { arrival, swap, route: { input, originChainId, output } }: Terms
): RouteHop => ({
  venue: NAME,
  through: acrossOrNull(originChainId)!.spokePool,
  poolId: null,
  feePips: null,
  tokenIn: swap === null ? tokenIn.address : input.address,
  tokenOut: arrival === null ? tokenOut.address : output.address
})

const bridgedTokens = ({ destinationChainId, input, originChainId, output }: AcrossRoute) => ({
  from: { ...input, chainId: originChainId },
  to: { ...output, chainId: destinationChainId }
})

const hopsOf = (offer: Offer | null): ReadonlyArray<RouteHop> => offer?.route[0]?.hops ?? []

/** Adds the price impacts of the swaps. Null if an impact is unknown or there is no swap. */
const impactOf = (offers: ReadonlyArray<Offer | null>): bigint | null => {
  const impacts = offers.flatMap((offer) => (offer === null ? [] : [offer.priceImpactE18 ?? null]))
  return impacts.length === 0
    ? null
    : impacts.reduce((sum, impact) => (sum === null || impact === null ? null : sum + impact))
}

const arrivalNotice = ({ destinationChainId, output }: AcrossRoute, { tokenOut }: OfferRequest): string =>
  `Across delivers ${output.symbol} on ${chainOf(destinationChainId).name}, and swaps it to ${tokenOut.symbol}. If the output of this swap would be less than \`minAmountOut\`, ${output.symbol} arrives instead.`

/**
 * Creates the provider of cross-chain transfers by Across. Relayers fill a deposit of one chain on another chain, or
 * Across refunds the deposit.
 */
export const make = Effect.fnUntraced(function* ({
  fees: feesPort,
  integratorId,
  isServed,
  swaps,
  times
}: AcrossOptions) {
  const rpc = yield* RpcClients

  /**
   * Builds the message that pays the receiver in the requested form (native or wrapped). The relayer's gas cost depends
   * on whether a deposit has a message.
   */
  const deliveryOf = Effect.fnUntraced(function* (
    { tokenOut }: OfferRequest,
    { isDelivered, route }: Terms,
    { minAmountOut, recipient }: OfferTerms
  ): Effect.fn.Return<ArrivalMessage | null, OfferError> {
    const message = yield* nativeDelivery(rpc, route, tokenOut, { recipient, amount: minAmountOut })
    if (message === null || isDelivered) return message
    return yield* noRoute(
      `a fill for ${recipient} needs more gas than was quoted, because it delivers ${tokenOut.symbol}`
    )
  })

  const offerOf = Effect.fnUntraced(function* (
    request: OfferRequest,
    terms: Terms
  ): Effect.fn.Return<Offer, OfferError> {
    const { fees, fromBlock, swap, route } = terms
    const { destinationChainId, input: from, originChainId, output: to } = route
    const depositedAmount = depositAmountRoundingDown(request.amountIn, swap)
    const bridgedAmount = bridgedAmountRoundingDown({ from, to }, fees, depositedAmount)
    if (bridgedAmount <= 0n) return yield* noRoute("the relayer fees equal or exceed the amount")
    const arrival = terms.arrival === null ? null : yield* terms.arrival.requoteAmount(bridgedAmount)
    const amountOut = arrival?.amountOut ?? bridgedAmount
    const fillSeconds = yield* times.expectedSeconds(originChainId, destinationChainId, fees.fillSeconds)
    const hops = [...hopsOf(swap), bridgeHop(request, { ...terms, arrival }), ...hopsOf(arrival)]
    return {
      ...request,
      amountOut,
      certainty: arrival === null ? "FLOOR" : "EXPECTED",
      blockNumber: null,
      route: [{ amountIn: request.amountIn, amountOut, hops }],
      priceImpactE18: impactOf([swap, arrival]),
      fees: [
        ...(swap?.fees ?? []),
        {
          type: "PROVIDER",
          chainId: originChainId,
          token: swap === null ? request.tokenIn.address : from.address,
          amount: bridgeFeeRoundingUp({ from, to }, depositedAmount, bridgedAmount),
          toAddress: null,
          percentage: null
        }
      ],
      ...(arrival === null
        ? {}
        : {
            notices: [arrivalNotice(route, request)],
            arrivesFrom: acrossOrNull(destinationChainId)!.multicallHandler
          }),
      executionSeconds: inclusionEstimateMs(originChainId) / 1_000 + fillSeconds,
      stages: [
        {
          name: ACROSS_FILL,
          intent: null,
          status: "ON_BRIDGE",
          state: fillState.encode({ fromBlock, saidSeconds: fees.fillSeconds })
        }
      ],
      requoteAmount: (amountIn) => offerForAmount({ ...request, amountIn }, terms),
      requestFollowUp: null,
      intent: {
        _tag: "Calls",
        buildCalls: Effect.fnUntraced(function* (offerTerms) {
          const callsBefore = swap === null ? [] : yield* swapCalls(swap, offerTerms, depositedAmount)
          const message =
            arrival === null
              ? yield* deliveryOf(request, terms, offerTerms)
              : yield* arrivalMessage(destinationChainId, arrival, offerTerms)
          // If no swap follows the fill, the minimum output is the amount of the fill.
          const outputAmount = arrival === null ? offerTerms.minAmountOut : bridgedAmount
          const depositedToken = swap === null ? request.tokenIn : from
          return [
            ...callsBefore,
            ...depositCalls(
              route,
              depositedToken,
              depositedAmount,
              { ...offerTerms, outputAmount },
              message,
              integratorId
            )
          ]
        })
      }
    }
  })

  /** Creates an offer for another amount. A smaller amount needs no new request to Across. */
  const offerForAmount = Effect.fnUntraced(function* (
    request: OfferRequest,
    terms: Terms
  ): Effect.fn.Return<Offer, OfferError> {
    const swap = terms.swap === null ? null : yield* terms.swap.requoteAmount(request.amountIn)
    const depositedAmount = depositAmountRoundingDown(request.amountIn, swap)
    if (depositedAmount > terms.fees.amountIn) return yield* offerForRoute(request, terms.route, terms.arrival !== null)
    return yield* offerOf(request, { ...terms, swap })
  })

  /**
   * Quotes the swap after the fill, and then the fill again with the swap's message: the relayer pays the gas of the
   * swap, so the fee includes it.
   */
  const quoteFillWithSwap = Effect.fnUntraced(function* (
    request: OfferRequest,
    { destinationChainId, output }: AcrossRoute,
    bridgeRequest: Omit<BridgeRequest, "message">
  ) {
    const { amountOut } = yield* feesPort.feesOf({ ...bridgeRequest, message: null })
    const arrival = yield* swaps.offer({ ...request, tokenIn: output, amountIn: amountOut, objective: "FIRST" })
    const message = yield* placeholderMessage(destinationChainId, arrival)
    return { arrival, isDelivered: false, fees: yield* feesPort.feesOf({ ...bridgeRequest, message }) }
  })

  /** Quotes a fill that pays the requested form (native or wrapped) without a swap. */
  const quoteDirectFill = Effect.fnUntraced(function* (
    { parties, tokenOut }: OfferRequest,
    route: AcrossRoute,
    bridgeRequest: Omit<BridgeRequest, "message">
  ) {
    const message =
      parties === undefined
        ? null
        : yield* nativeDelivery(rpc, route, tokenOut, { recipient: parties.recipient, amount: bridgeRequest.amountIn })
    return { arrival: null, isDelivered: message !== null, fees: yield* feesPort.feesOf({ ...bridgeRequest, message }) }
  })

  const offerForRoute = Effect.fnUntraced(function* (
    request: OfferRequest,
    route: AcrossRoute,
    swapsOnArrival: boolean
  ): Effect.fn.Return<Offer, OfferError> {
    const { destinationChainId, input: from } = route
    const swap = isDirect(request.tokenIn, route)
      ? null
      : yield* swaps.offer({ ...request, tokenOut: from, objective: "FIRST" })
    const feeRequest = { ...bridgedTokens(route), amountIn: depositAmountRoundingDown(request.amountIn, swap) }
    const [fillQuote, head] = yield* Effect.all(
      [
        swapsOnArrival ? quoteFillWithSwap(request, route, feeRequest) : quoteDirectFill(request, route, feeRequest),
        rpc.call(destinationChainId, () => rpc.latestBlock(destinationChainId, HEAD_AGE_MS))
      ],
      { concurrency: 2 }
    )
    return yield* offerOf(request, { route, fromBlock: head.number, swap, ...fillQuote })
  })

  const provider: SwapProvider = {
    id: "ACROSS",
    name: NAME,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) => {
      const [origin, destination] = [acrossOrNull(chainIdIn), acrossOrNull(chainIdOut)]
      return (
        !isLimitOrder &&
        chainIdIn !== chainIdOut &&
        origin !== null &&
        destination !== null &&
        isServed(destination.chainId)
      )
    },
    stages: Effect.map(acrossFillStage(rpc, times, isServed), (stage) => [stage]),
    offer: Effect.fn("AcrossSwapProvider.offer")(function* (request) {
      const routeOrNull = acrossRouteOrNull(request)
      if (routeOrNull === null) return yield* noRoute("it bridges no token between these chains")
      return yield* offerForRoute(request, routeOrNull.route, routeOrNull.swapsOnArrival)
    })
  }
  return provider
})

const swapCalls = (swap: Offer, terms: OfferTerms, minAmountOut: bigint) =>
  swap.intent._tag === "Calls"
    ? swap.intent.buildCalls({ ...terms, recipient: terms.sender, minAmountOut })
    : Effect.die(new Error("The swap before a deposit must consist of calls"))
