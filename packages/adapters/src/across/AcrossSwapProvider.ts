import type { EvmChainId } from "@countersign/core/chains"
import { type HexBytes, isEvmAddress, isNativeCoin } from "@countersign/core/primitives"
import {
  minAmountOutRoundingDown,
  type Offer,
  type OfferError,
  type OfferRequest,
  type OfferTerms,
  type RouteHop,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/swap"
import { inclusionEstimateMs } from "@countersign/core/user-operations"
import { Effect } from "effect"
import { acrossOrNull } from "../deployments/index.ts"
import { RpcClients } from "../evm/index.ts"
import type { AcrossFees, BridgeFees } from "./AcrossFees.ts"
import { acrossFillStage } from "./AcrossFillStage.ts"
import { type AcrossWay, acrossWays, isDirect } from "./acrossWay.ts"
import { getsCoin } from "./arrivingToken.ts"
import { bridgedRoundingDown, bridgeFeeRoundingUp } from "./bridgedAmount.ts"
import { depositCalls } from "./depositCalls.ts"
import { FillTimes } from "./FillTimes.ts"
import { ACROSS_FILL, fillState } from "./fillState.ts"

const NAME = "Across"
/** How old a look at the other chain's head may be. */
const HEAD_AGE_MS = 2_000

/** Between the quote and the block the swap before a deposit may lose so much: the least that a request can name. */
const SWAP_SLIPPAGE_PERCENT = 0.5

export interface AcrossOptions {
  readonly fees: AcrossFees
  /** Swaps on one chain, for tokens that Across does not take. */
  readonly swaps: Pick<SwapProvider, "offer">
  /** Whether the service follows the chain. */
  readonly isServed: (chainId: EvmChainId) => boolean
  readonly integratorId: HexBytes | null
}

/** An offer's parts, the same for all of its amounts. */
interface Terms {
  readonly way: AcrossWay
  readonly fees: BridgeFees
  /** The other chain's head when it was quoted. */
  readonly fromBlock: bigint
  /** The swap before the deposit; null where none is needed. */
  readonly swap: Offer | null
}

const noRoute = (reason: string) => new RouteNotFound({ provider: NAME, reason })

/** The amount that is deposited: of a swap before it only what is certain. The rest of it stays in the wallet. */
const depositedRoundingDown = (amountIn: bigint, swap: Offer | null): bigint =>
  swap === null ? amountIn : minAmountOutRoundingDown(swap.amountOut, SWAP_SLIPPAGE_PERCENT)

const bridgeHop = (
  { input, originChainId }: AcrossWay,
  { tokenIn, tokenOut }: OfferRequest,
  swap: Offer | null
): RouteHop => ({
  venue: NAME,
  through: acrossOrNull(originChainId)!.spokePool,
  poolId: null,
  feePips: null,
  tokenIn: swap === null ? tokenIn.address : input.address,
  tokenOut: tokenOut.address
})

/** Transfers to other chains by Across: a deposit on one chain that relayers fill on the other, or that is paid back. */
export const make = Effect.fnUntraced(function* ({ fees: feesPort, integratorId, isServed, swaps }: AcrossOptions) {
  const rpc = yield* RpcClients
  const times = new FillTimes()

  /** The coin and its wrapped form are told apart by the receiver's code, at the time of the fill. */
  const requireToken = Effect.fnUntraced(function* (way: AcrossWay, request: OfferRequest, { recipient }: OfferTerms) {
    if (!way.isUnwrapped || !isEvmAddress(recipient)) return
    const coinArrives = yield* getsCoin(rpc, way, recipient)
    if (coinArrives === isNativeCoin(request.tokenOut.address)) return
    return yield* noRoute(
      coinArrives
        ? `${recipient} has no contract there, and gets the chain's own coin instead of ${way.output.symbol}: ask for the coin`
        : `${recipient} is a contract there, and gets ${way.output.symbol} instead of the chain's own coin: ask for ${way.output.symbol}`
    )
  })

  const offerOf = (request: OfferRequest, terms: Terms): Effect.Effect<Offer, OfferError> => {
    const { fees, fromBlock, swap, way } = terms
    const { destinationChainId, input: from, originChainId, output: to } = way
    const deposited = depositedRoundingDown(request.amountIn, swap)
    const amountOut = bridgedRoundingDown({ from, to }, fees, deposited)
    if (amountOut <= 0n) return Effect.fail(noRoute("the fees of relayers take all of the amount"))
    const hop = bridgeHop(way, request, swap)
    const offer: Offer = {
      ...request,
      amountOut,
      certainty: "FLOOR",
      blockNumber: null,
      route: [{ amountIn: request.amountIn, amountOut, hops: [...(swap?.route[0]?.hops ?? []), hop] }],
      priceImpactE18: swap?.priceImpactE18 ?? null,
      fees: [
        ...(swap?.fees ?? []),
        {
          type: "PROVIDER",
          chainId: originChainId,
          token: swap === null ? request.tokenIn.address : from.address,
          amount: bridgeFeeRoundingUp({ from, to }, deposited, amountOut),
          toAddress: null,
          percentage: null
        }
      ],
      executionSeconds:
        inclusionEstimateMs(originChainId) / 1_000 +
        times.expectedSeconds(originChainId, destinationChainId, fees.fillSeconds),
      stages: [
        {
          name: ACROSS_FILL,
          intent: null,
          status: "ON_BRIDGE",
          state: fillState.encode({ fromBlock, saidSeconds: fees.fillSeconds })
        }
      ],
      forAmount: (amountIn) => offerForAmount({ ...request, amountIn }, terms),
      afterwards: null,
      intent: {
        _tag: "Calls",
        calls: Effect.fnUntraced(function* (offerTerms) {
          yield* requireToken(way, request, offerTerms)
          const before = swap === null ? [] : yield* swapCalls(swap, offerTerms, deposited)
          return [
            ...before,
            ...depositCalls(way, swap === null ? request.tokenIn : from, deposited, offerTerms, integratorId)
          ]
        })
      }
    }
    return Effect.succeed(offer)
  }

  /** Relayers are not asked again about less than they were asked about. */
  const offerForAmount = Effect.fnUntraced(function* (
    request: OfferRequest,
    terms: Terms
  ): Effect.fn.Return<Offer, OfferError> {
    const swap = terms.swap === null ? null : yield* terms.swap.forAmount(request.amountIn)
    const deposited = depositedRoundingDown(request.amountIn, swap)
    if (deposited > terms.fees.amountIn) return yield* offerBy(request, terms.way)
    return yield* offerOf(request, { ...terms, swap })
  })

  const offerBy = Effect.fnUntraced(function* (
    request: OfferRequest,
    way: AcrossWay
  ): Effect.fn.Return<Offer, OfferError> {
    const { destinationChainId, input: from, originChainId, output: to } = way
    const swap = isDirect(request.tokenIn, way)
      ? null
      : yield* swaps.offer({ ...request, tokenOut: from, objective: "FIRST" })
    const [fees, head] = yield* Effect.all(
      [
        feesPort.feesOf({
          from: { ...from, chainId: originChainId },
          to: { ...to, chainId: destinationChainId },
          amountIn: depositedRoundingDown(request.amountIn, swap)
        }),
        rpc.call(destinationChainId, () => rpc.latestBlock(destinationChainId, HEAD_AGE_MS))
      ],
      { concurrency: 2 }
    )
    return yield* offerOf(request, { way, fees, fromBlock: head.number, swap })
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
      const [way] = acrossWays(request)
      if (way === undefined) {
        return yield* noRoute(
          `it brings no ${request.tokenOut.symbol} to that chain: USDC, USDT, DAI and WETH alone, where they are there`
        )
      }
      return yield* offerBy(request, way)
    })
  }
  return provider
})

const swapCalls = (swap: Offer, terms: OfferTerms, minAmountOut: bigint) =>
  swap.intent._tag === "Calls"
    ? swap.intent.calls({ ...terms, recipient: terms.sender, minAmountOut })
    : Effect.die(new Error("The swap before a deposit is made of calls"))
