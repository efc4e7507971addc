import { type EvmChainId, isEvmChainId } from "@countersign/core/chains"
import { Address, coalesce } from "@countersign/core/primitives"
import {
  type Offer,
  type OfferError,
  type OfferRequest,
  type OfferTerms,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/swap"
import { type Call, inclusionEstimateMs } from "@countersign/core/user-operations"
import { Clock, Effect, type Redacted } from "effect"
import { deploymentOf, pooledToken } from "../../deployments/index.ts"
import { RpcClients } from "../../evm/index.ts"
import { makeAggregatorHost } from "../AggregatorHost.ts"
import { callFault } from "../callFault.ts"
import { requireFaultless } from "../refusedRoutes.ts"
import { routeCalls } from "../routeCalls.ts"
import { runFault } from "../runFault.ts"
import { type LiFiQuote, liFiApi, NAME } from "./LiFiApi.ts"
import { makeQuoteBudget } from "./quoteBudget.ts"
import { readAcrossBridge } from "./readAcrossBridge.ts"
import { allowedOf, readGenericSwap } from "./readGenericSwap.ts"
import { statusStage, statusStagePlan } from "./statusStage.ts"

export interface LiFiOptions {
  /** Null for LI.FI's own. */
  readonly url: string | null
  /** Null for the public limits. */
  readonly apiKey: Redacted.Redacted<string> | null
  /** Who asks, as LI.FI has it registered. */
  readonly integrator: string
  readonly timeoutMs: number
}

export const LIFI_URL = "https://li.quest/v1"

const provided = { id: "LIFI", name: NAME }

/** An offer is asked for before it is known whose it is. Nothing is signed of what this answers. */
const ANYBODY = Address.make(`0x${"11".repeat(20)}`)
const USUAL_SLIPPAGE_BPS = 50
/** Where LI.FI does not say how long a bridge takes. */
const USUAL_FILL_SECONDS = 60
const MAX_SLIPPAGE_BPS = 5_000n
const BPS = 10_000n
/** A quote that is older is asked for again before it is shown for the same amount. */
const QUOTE_LASTS_MS = 30_000

/** Velora's Augustus 6.2, one of those that LI.FI routes through (npm @velora-dex/sdk). */
const VELORA = Address.make("0x6a000f20005980200259b80c5102003040001068")

const allowedOn = (chainId: EvmChainId) => {
  const { constantProduct, kyberSwapRouter, lifi, uniswapV3, universalRouter } = deploymentOf(chainId)
  const routers = [uniswapV3.swapRouter02, VELORA, universalRouter, kyberSwapRouter]
  return allowedOf(lifi, [
    ...routers.filter((router) => router !== undefined),
    ...constantProduct.map(({ router }) => router)
  ])
}

/** Whether transfers by Across, the bridge that is read, begin and end there. */
const isBridged = (chainId: EvmChainId): boolean => deploymentOf(chainId).lifi.acrossFacet !== undefined

interface TimedQuote extends LiFiQuote {
  readonly foundAtMs: number
}

/** The largest slippage by which the least output is no less than ours; null where the route gives less already. */
const slippageBpsOrNull = (amountOut: bigint, minAmountOut: bigint): number | null => {
  if (amountOut < minAmountOut) return null
  const bps = ((amountOut - minAmountOut) * BPS) / amountOut
  return Number(bps > MAX_SLIPPAGE_BPS ? MAX_SLIPPAGE_BPS : bps)
}

/** Swaps by LI.FI's contract, which routes over the exchanges of others, and transfers to other chains by Across. */
export const make = Effect.fnUntraced(function* ({ apiKey, integrator, timeoutMs, url }: LiFiOptions) {
  const host = yield* makeAggregatorHost({
    title: NAME,
    url: url ?? LIFI_URL,
    headers: apiKey === null ? {} : { "x-lifi-api-key": apiKey },
    timeoutMs,
    pace: null
  })
  const rpc = yield* RpcClients
  const api = liFiApi(host, integrator, yield* makeQuoteBudget(apiKey !== null))
  const once = coalesce<TimedQuote, OfferError>()

  /** What it would give: who asks again while the first answer is on its way gets that one, for quotes are few. */
  const estimateFor = (request: OfferRequest) => {
    const { amountIn, tokenIn, tokenOut } = request
    const asking = Effect.flatMap(
      api.quote({ ...request, sender: ANYBODY, recipient: ANYBODY, slippageBps: USUAL_SLIPPAGE_BPS }),
      (quote) => Effect.map(Clock.currentTimeMillis, (foundAtMs): TimedQuote => ({ ...quote, foundAtMs }))
    )
    const key = [tokenIn.chainId, tokenIn.address, tokenOut.chainId, tokenOut.address, amountIn].join(" ")
    return once(key, asking)
  }

  const callsOf = Effect.fnUntraced(function* (
    chainId: EvmChainId,
    request: OfferRequest,
    estimate: LiFiQuote,
    terms: OfferTerms
  ): Effect.fn.Return<ReadonlyArray<Call>, OfferError> {
    const target = deploymentOf(chainId).lifi.diamond
    const slippageBps = slippageBpsOrNull(estimate.amountOut, terms.minAmountOut)
    if (slippageBps === null) {
      return yield* new RouteNotFound({ provider: NAME, reason: "it gives less now than the least that was asked for" })
    }
    const { sender, recipient } = terms
    const { transaction } = yield* api.quote({ ...request, sender, recipient, slippageBps })
    const chainIdOut = request.tokenOut.chainId
    const read =
      chainIdOut === chainId || !isEvmChainId(chainIdOut)
        ? readGenericSwap(allowedOn(chainId))
        : readAcrossBridge({ sender, recipient, deadline: terms.deadline, chainIdOut })
    yield* requireFaultless(provided, callFault({ request, terms, target }, transaction, read))
    return routeCalls(NAME, request, terms, target, transaction)
  })

  /** The offer of an estimate; `others` are those for further amounts of the same swap. */
  const offerOf = (
    chainId: EvmChainId,
    request: OfferRequest,
    estimate: TimedQuote,
    others = new Map<bigint, readonly [TimedQuote, Offer]>()
  ): Offer => {
    const { amountIn, tokenIn, tokenOut } = request
    const { amountOut } = estimate
    const crosses = tokenIn.chainId !== tokenOut.chainId
    const through = deploymentOf(chainId).lifi.diamond
    /** The calls by their terms; of a deadline it is known that it is some minutes from now. */
    const built = new Map<string, ReadonlyArray<Call>>()
    const offer: Offer = {
      ...request,
      amountOut,
      certainty: "EXPECTED",
      blockNumber: null,
      route: [
        {
          amountIn,
          amountOut,
          hops: [
            { venue: NAME, through, poolId: null, feePips: null, tokenIn: tokenIn.address, tokenOut: tokenOut.address }
          ]
        }
      ],
      fees: [],
      executionSeconds: inclusionEstimateMs(chainId) / 1_000 + (crosses ? (estimate.seconds ?? USUAL_FILL_SECONDS) : 0),
      stages: crosses ? [statusStagePlan] : [],
      forAmount: Effect.fnUntraced(function* (other) {
        const known = others.get(other)
        const now = yield* Clock.currentTimeMillis
        if (known !== undefined && now - known[0].foundAtMs < QUOTE_LASTS_MS) return known[1]
        const next = { ...request, amountIn: other }
        return offerOf(chainId, next, yield* estimateFor(next), others)
      }),
      afterwards: null,
      intent: {
        _tag: "Calls",
        calls: Effect.fnUntraced(function* (terms) {
          const key = `${terms.sender} ${terms.recipient} ${terms.minAmountOut}`
          const calls = built.get(key) ?? (yield* callsOf(chainId, request, estimate, terms))
          built.set(key, calls)
          return calls
        }),
        check: (run, terms) => requireFaultless(provided, runFault(request, run, terms))
      }
    }
    others.set(amountIn, [estimate, offer])
    return offer
  }

  const provider: SwapProvider = {
    ...provided,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
      isEvmChainId(chainIdIn) &&
      !isLimitOrder &&
      (chainIdIn === chainIdOut || (isEvmChainId(chainIdOut) && isBridged(chainIdIn) && isBridged(chainIdOut))),
    stages: statusStage(host, rpc),
    offer: Effect.fnUntraced(function* (request) {
      const { chainId } = request.tokenIn
      const { chainId: chainIdOut, address: bought } = request.tokenOut
      if (!isEvmChainId(chainId) || !isEvmChainId(chainIdOut)) {
        return yield* new RouteNotFound({ provider: NAME, reason: "it is asked for EVM chains alone" })
      }
      const { wrappedNative } = deploymentOf(chainIdOut)
      if (chainId !== chainIdOut && pooledToken(bought, deploymentOf(chainIdOut)) === wrappedNative.address) {
        const reason = "whether coin of another chain arrives wrapped depends on its receiver's code there"
        return yield* new RouteNotFound({ provider: NAME, reason })
      }
      return offerOf(chainId, request, yield* estimateFor(request))
    })
  }
  return provider
})
