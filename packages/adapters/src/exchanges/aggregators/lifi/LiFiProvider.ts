import { BitcoinChain, BitcoinTransactions } from "@countersign/core/bitcoin/chain"
import { type ChainId, type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import { Address, coalesce } from "@countersign/core/foundation/primitives"
import type { PlannedStage } from "@countersign/core/operations/quotes"
import type { Call } from "@countersign/core/operations/user-operations"
import {
  type OfferError,
  type OfferRequest,
  type OfferTerms,
  RouteNotFound,
  type SwapProvider
} from "@countersign/core/trading/swap"
import { Clock, Effect, type Redacted } from "effect"
import { deploymentOf, pooledToken } from "../../../chains/deployments/index.ts"
import { RpcClients } from "../../../chains/evm/index.ts"
import { ACROSS_FILL, acrossFillStage, type FillTimes, fillState } from "../../across/index.ts"
import { aggregatorHost } from "../AggregatorHost.ts"
import { callFault } from "../callFault.ts"
import type { RouteReader } from "../RouteCall.ts"
import { requireFaultless } from "../refusedRoutes.ts"
import { routeCalls } from "../routeCalls.ts"
import { routeOffers, type TimedRoute } from "../routeOffers.ts"
import { bitcoinOffers } from "./bitcoin/bitcoinOffers.ts"
import { type LiFiQuote, liFiApi, NAME } from "./LiFiApi.ts"
import { provided } from "./provided.ts"
import { makeQuoteBudget } from "./quoteBudget.ts"
import { readAcrossBridge } from "./readAcrossBridge.ts"
import { readChainflipBridge } from "./readChainflipBridge.ts"
import { readGenericSwap } from "./readGenericSwap.ts"
import { slippageBpsOrNull, USUAL_SLIPPAGE_BPS } from "./slippage.ts"
import { statusStage, statusStagePlan } from "./statusStage.ts"
import { allowedOf } from "./steps.ts"

export interface LiFiOptions {
  /** Null for LI.FI's own URL. */
  readonly url: string | null
  /** Null for LI.FI's public limits. */
  readonly apiKey: Redacted.Redacted<string> | null
  /** The integrator name registered with LI.FI. */
  readonly integrator: string
  readonly timeoutMs: number
}

/** Other parts of the service on which LI.FI depends. */
export interface LiFiSurroundings {
  readonly isServed: (chainId: EvmChainId) => boolean
  /** Whether the service reads Bitcoin, so that swaps from and to Bitcoin are possible. */
  readonly isBitcoinRead: boolean
  /** Whether another provider has the stage that tracks Across deposits. */
  readonly hasAcross: boolean
  readonly times: FillTimes
}

export const LIFI_URL = "https://li.quest/v1"

/** A placeholder, because an offer is requested before its owner is known. The result is not signed. */
const ANYBODY = Address.make(`0x${"11".repeat(20)}`)
/** Maximum age of the destination chain's head. */
const HEAD_AGE_MS = 2_000
/** Used if LI.FI does not state the duration of a bridge. */
const USUAL_FILL_SECONDS = 60
/** A quote that is older than this is requested again before it is shown for the same amount. */
const QUOTE_TTL_MS = 30_000

const allowedOn = (chainId: EvmChainId) => {
  const { constantProduct, kyberSwapRouter, lifi, uniswapV3, universalRouter, veloraRouter } = deploymentOf(chainId)
  const routers = [uniswapV3.swapRouter02, veloraRouter, universalRouter, kyberSwapRouter]
  return allowedOf(lifi, [
    ...routers.filter((router) => router !== undefined),
    ...constantProduct.map(({ router }) => router)
  ])
}

/** Whether Across, the supported bridge, serves the chain. */
const isBridged = (chainId: EvmChainId): boolean => deploymentOf(chainId).lifi.acrossFacet !== undefined

/** Whether the route is supported: within a chain, or to another chain by the supported bridge. */
const servesFrom = (
  chainIdIn: EvmChainId,
  chainIdOut: ChainId,
  { isBitcoinRead, isServed }: Pick<LiFiSurroundings, "isBitcoinRead" | "isServed">
): boolean => {
  if (chainIdOut === 0) return isBitcoinRead && deploymentOf(chainIdIn).lifi.chainflipVault !== undefined
  return chainIdIn === chainIdOut || (isBridged(chainIdIn) && isBridged(chainIdOut) && isServed(chainIdOut))
}

const CHAINFLIP_NOTICE =
  "Chainflip pays the minimum amount or refunds, before it deducts the fees of both chains. Only LI.FI reports these fees."

/** Only Bitcoin routes include the receiver in the request. */
const partiesOf = ({ parties, tokenOut }: OfferRequest) => ({
  sender: ANYBODY,
  recipient: tokenOut.chainId === 0 && parties !== undefined ? parties.recipient : ANYBODY
})

/** The decoder of a call, by destination chain. */
const readerFor = (chainId: EvmChainId, chainIdOut: ChainId, terms: OfferTerms): RouteReader => {
  const { deadline, recipient, sender } = terms
  if (chainIdOut === 0) return readChainflipBridge(terms)
  const allowedContracts = allowedOn(chainId)
  return chainIdOut === chainId
    ? readGenericSwap(allowedContracts)
    : readAcrossBridge({ sender, recipient, deadline, chainId, chainIdOut, allowed: allowedContracts })
}

/** The stages of a transfer. EVM destinations are tracked by Across's events, Bitcoin by LI.FI's reports. */
const stagesOf = (chainIdOut: ChainId, { fromBlock, seconds }: TimedQuote): ReadonlyArray<PlannedStage> => {
  if (chainIdOut === 0) return [statusStagePlan]
  if (fromBlock === null) return []
  const state = fillState.encode({ fromBlock, saidSeconds: seconds ?? USUAL_FILL_SECONDS })
  return [{ name: ACROSS_FILL, intent: null, status: "ON_BRIDGE", state }]
}

interface TimedQuote extends LiFiQuote, TimedRoute {
  /** Seconds from the transaction on: the API's estimate, corrected by own records. Zero for a same-chain swap. */
  readonly fillSeconds: number
  /** The head of the destination chain; null for a same-chain swap. */
  readonly fromBlock: bigint | null
}

/** Tolerance for transfers, whose minimum is a fraction of another minimum. Both are rounded. */
const ROUNDING_BPS = 1

/**
 * Swaps by LI.FI's contract, which routes through third-party exchanges, and cross-chain transfers by Across and
 * Chainflip.
 */
export const make = Effect.fnUntraced(function* (
  { apiKey, integrator, timeoutMs, url }: LiFiOptions,
  { hasAcross, isBitcoinRead, isServed, times }: LiFiSurroundings
) {
  const host = aggregatorHost({
    title: NAME,
    url: url ?? LIFI_URL,
    headers: apiKey === null ? {} : { "x-lifi-api-key": apiKey },
    timeoutMs,
    pace: null
  })
  const rpc = yield* RpcClients
  const chain = yield* BitcoinChain
  const transactions = yield* BitcoinTransactions
  const api = liFiApi(host, integrator, yield* makeQuoteBudget(apiKey !== null))
  const bitcoinOfferFor = bitcoinOffers(api, transactions)
  const coalescedQuotes = coalesce<TimedQuote, OfferError>()

  /** Seconds from the source transaction on: by own records for another EVM chain, otherwise the API's estimate. */
  const fillSecondsOf = ({ tokenIn, tokenOut }: OfferRequest, said: number) => {
    const [from, to] = [tokenIn.chainId, tokenOut.chainId]
    if (from === to) return Effect.succeed(0)
    return isEvmChainId(from) && isEvmChainId(to) ? times.expectedSeconds(from, to, said) : Effect.succeed(said)
  }

  /** The estimated output. Concurrent identical requests share one response, because quotes are limited. */
  const estimateFor = (request: OfferRequest) => {
    const { amountIn, tokenIn, tokenOut } = request
    const { chainId: chainIdOut } = tokenOut
    const crosses = chainIdOut !== tokenIn.chainId && isEvmChainId(chainIdOut)
    const asking = Effect.gen(function* () {
      const [quote, head] = yield* Effect.all(
        [
          api.quote({ ...request, ...partiesOf(request), slippageBps: USUAL_SLIPPAGE_BPS }),
          crosses ? rpc.call(chainIdOut, () => rpc.latestBlock(chainIdOut, HEAD_AGE_MS)) : Effect.succeed(null)
        ],
        { concurrency: 2 }
      )
      const timedQuote: TimedQuote = {
        ...quote,
        foundAtMs: yield* Clock.currentTimeMillis,
        fillSeconds: yield* fillSecondsOf(request, quote.seconds ?? USUAL_FILL_SECONDS),
        fromBlock: head?.number ?? null
      }
      return timedQuote
    })
    const key = [tokenIn.chainId, tokenIn.address, tokenOut.chainId, tokenOut.address, amountIn].join(" ")
    return coalescedQuotes(key, asking)
  }

  const callsOf = Effect.fnUntraced(function* (
    chainId: EvmChainId,
    request: OfferRequest,
    estimate: LiFiQuote,
    terms: OfferTerms
  ): Effect.fn.Return<ReadonlyArray<Call>, OfferError> {
    const target = deploymentOf(chainId).lifi.diamond
    const chainIdOut = request.tokenOut.chainId
    const crosses = chainIdOut !== chainId && isEvmChainId(chainIdOut)
    const largestBps = slippageBpsOrNull(estimate.amountOut, terms.minAmountOut)
    if (largestBps === null) {
      return yield* new RouteNotFound({
        provider: NAME,
        reason: "its current output is below the requested minimum output"
      })
    }
    const { recipient, sender } = terms
    const slippageBps = crosses ? Math.max(0, largestBps - ROUNDING_BPS) : largestBps
    const { minAmount, transaction } = yield* api.quote({ ...request, sender, recipient, slippageBps })
    if (chainIdOut === 0 && minAmount < terms.minAmountOut) {
      return yield* new RouteNotFound({
        provider: NAME,
        reason: "its current minimum output is below the requested minimum output"
      })
    }
    const read = readerFor(chainId, chainIdOut, terms)
    yield* requireFaultless(provided, callFault({ request, terms, target }, transaction, read))
    return routeCalls(NAME, request, terms, target, transaction)
  })

  const offerOf = routeOffers({
    provider: provided,
    routerOn: (chainId) => deploymentOf(chainId).lifi.diamond,
    lastsMs: QUOTE_TTL_MS,
    routeFor: estimateFor,
    callsOf,
    // The deadline is not part of the key, because it is always a few minutes in the future.
    keyOf: ({ minAmountOut, recipient, sender }) => `${sender} ${recipient} ${minAmountOut}`,
    afterwardsOf: ({ tokenOut }, estimate) => ({
      seconds: estimate.fillSeconds,
      stages: stagesOf(tokenOut.chainId, estimate),
      ...(tokenOut.chainId === 0 ? { notices: [CHAINFLIP_NOTICE] } : {})
    })
  })

  const provider: SwapProvider = {
    ...provided,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
      !isLimitOrder &&
      (isEvmChainId(chainIdIn)
        ? servesFrom(chainIdIn, chainIdOut, { isBitcoinRead, isServed })
        : isBitcoinRead && isEvmChainId(chainIdOut)),
    stages: Effect.gen(function* () {
      const bitcoinStage = yield* statusStage(host, rpc, { chain, transactions })
      return hasAcross ? bitcoinStage : [...bitcoinStage, yield* acrossFillStage(rpc, times, isServed)]
    }),
    offer: Effect.fnUntraced(function* (request) {
      const { chainId } = request.tokenIn
      if (chainId === 0) return yield* bitcoinOfferFor(request)
      const { chainId: chainIdOut, address: bought } = request.tokenOut
      if (chainIdOut === 0) return offerOf(chainId, request, yield* estimateFor(request))
      const { wrappedNative } = deploymentOf(chainIdOut)
      if (chainId !== chainIdOut && pooledToken(bought, deploymentOf(chainIdOut)) === wrappedNative.address) {
        const reason = "whether the native token of another chain arrives wrapped depends on the receiver's code there"
        return yield* new RouteNotFound({ provider: NAME, reason })
      }
      return offerOf(chainId, request, yield* estimateFor(request))
    })
  }
  return provider
})
