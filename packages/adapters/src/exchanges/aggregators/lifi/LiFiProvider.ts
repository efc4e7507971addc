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
import { acrossBridgeReader } from "./acrossBridgeReader.ts"
import { bitcoinOffers } from "./bitcoin/bitcoinOffers.ts"
import { type LiFiQuote, liFiApi, NAME } from "./LiFiApi.ts"
import { lifiProvider } from "./providerInfo.ts"
import { makeQuoteBudget } from "./quoteBudget.ts"
import { readChainflipBridge } from "./readChainflipBridge.ts"
import { readGenericSwap } from "./readGenericSwap.ts"
import { slippageBpsOrNull, USUAL_SLIPPAGE_BPS } from "./slippage.ts"
import { statusStage, statusStagePlan } from "./statusStage.ts"
import { allowedContractsOf } from "./steps.ts"

export interface LiFiOptions {
  /** Base URL of the API; null for LI.FI's own URL. */
  readonly url: string | null
  /** API key; null to use LI.FI's public rate limits. */
  readonly apiKey: Redacted.Redacted<string> | null
  /** Integrator name that is registered with LI.FI. */
  readonly integrator: string
  readonly timeoutMs: number
}

/** Data of the service's configuration that LI.FI's provider needs. */
export interface LiFiContext {
  readonly isServed: (chainId: EvmChainId) => boolean
  /** Whether the service has a Bitcoin connection, which swaps from and to Bitcoin need. */
  readonly hasBitcoinConnection: boolean
  /** Whether the Across provider is configured, which adds the stage that tracks Across deposits. */
  readonly hasAcross: boolean
  readonly times: FillTimes
}

export const LIFI_URL = "https://li.quest/v1"

/** A placeholder, because offers are requested before the owner is known. The result is not signed. */
const PLACEHOLDER_SENDER = Address.make(`0x${"11".repeat(20)}`)
/** Maximum age, in milliseconds, of the destination chain's head. */
const HEAD_AGE_MS = 2_000
/** Duration that is assumed if LI.FI does not state the duration of a bridge. */
const USUAL_FILL_SECONDS = 60
/** Maximum age, in milliseconds, of a quote that is reused for the same amount. */
const QUOTE_TTL_MS = 30_000

const allowedContractsOn = (chainId: EvmChainId) => {
  const { constantProduct, kyberSwapRouter, lifi, uniswapV3, universalRouter, veloraRouter } = deploymentOf(chainId)
  const routers = [uniswapV3.swapRouter02, veloraRouter, universalRouter, kyberSwapRouter]
  return allowedContractsOf(lifi, [
    ...routers.filter((router) => router !== undefined),
    ...constantProduct.map(({ router }) => router)
  ])
}

/** Whether LI.FI's Across facet is deployed on the chain. */
const hasAcrossFacet = (chainId: EvmChainId): boolean => deploymentOf(chainId).lifi.acrossFacet !== undefined

/** Whether the route is supported: within one chain, or to another chain by a supported bridge. */
const supportsChains = (
  chainIdIn: EvmChainId,
  chainIdOut: ChainId,
  { hasBitcoinConnection, isServed }: Pick<LiFiContext, "hasBitcoinConnection" | "isServed">
): boolean => {
  if (chainIdOut === 0) return hasBitcoinConnection && deploymentOf(chainIdIn).lifi.chainflipVault !== undefined
  return chainIdIn === chainIdOut || (hasAcrossFacet(chainIdIn) && hasAcrossFacet(chainIdOut) && isServed(chainIdOut))
}

const CHAINFLIP_NOTICE =
  "Chainflip pays the minimum amount or refunds, before it deducts the fees of both chains. Only LI.FI reports these fees."

/** Returns the parties of a request. Only requests for Bitcoin routes contain the receiver. */
const partiesOf = ({ parties, tokenOut }: OfferRequest) => ({
  sender: PLACEHOLDER_SENDER,
  recipient: tokenOut.chainId === 0 && parties !== undefined ? parties.recipient : PLACEHOLDER_SENDER
})

/** Returns the decoder for the call, which depends on the destination chain. */
const readerFor = (chainId: EvmChainId, chainIdOut: ChainId, terms: OfferTerms): RouteReader => {
  const { deadline, recipient, sender } = terms
  if (chainIdOut === 0) return readChainflipBridge(terms)
  const allowedContracts = allowedContractsOn(chainId)
  return chainIdOut === chainId
    ? readGenericSwap(allowedContracts)
    : acrossBridgeReader({ sender, recipient, deadline, chainId, chainIdOut, allowed: allowedContracts })
}

/**
 * Returns the stages after the transaction. Transfers to EVM chains are tracked by Across's events, transfers to
 * Bitcoin by LI.FI's status.
 */
const stagesOf = (chainIdOut: ChainId, { fromBlock, seconds }: TimedQuote): ReadonlyArray<PlannedStage> => {
  if (chainIdOut === 0) return [statusStagePlan]
  if (fromBlock === null) return []
  const state = fillState.encode({ fromBlock, saidSeconds: seconds ?? USUAL_FILL_SECONDS })
  return [{ name: ACROSS_FILL, intent: null, status: "ON_BRIDGE", state }]
}

interface TimedQuote extends LiFiQuote, TimedRoute {
  /**
   * Expected seconds between transaction and fill: the API's estimate, corrected by recorded fills. Zero for a
   * same-chain swap.
   */
  readonly fillSeconds: number
  /**
   * Head of the destination chain at the time of the quote; null for a same-chain swap and for a transfer to Bitcoin.
   */
  readonly fromBlock: bigint | null
}

/**
 * Tolerance, in basis points, for transfers whose minimum is a fraction of another minimum. Both minimums are rounded.
 */
const ROUNDING_BPS = 1

/**
 * Creates the provider of swaps by LI.FI's contract, which routes through third-party exchanges, and of cross-chain
 * transfers by Across and Chainflip.
 */
export const make = Effect.fnUntraced(function* (
  { apiKey, integrator, timeoutMs, url }: LiFiOptions,
  { hasAcross, hasBitcoinConnection, isServed, times }: LiFiContext
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

  /**
   * Estimates the seconds after the source transaction. Uses recorded fills for another EVM chain, otherwise the API's
   * estimate.
   */
  const fillSecondsOf = ({ tokenIn, tokenOut }: OfferRequest, estimatedSeconds: number) => {
    const [from, to] = [tokenIn.chainId, tokenOut.chainId]
    if (from === to) return Effect.succeed(0)
    return isEvmChainId(from) && isEvmChainId(to)
      ? times.expectedSeconds(from, to, estimatedSeconds)
      : Effect.succeed(estimatedSeconds)
  }

  /**
   * Requests the expected output. Concurrent identical requests share one response, because LI.FI limits the number of
   * quotes.
   */
  const estimateFor = (request: OfferRequest) => {
    const { amountIn, tokenIn, tokenOut } = request
    const { chainId: chainIdOut } = tokenOut
    const isCrossChain = chainIdOut !== tokenIn.chainId && isEvmChainId(chainIdOut)
    const routeRequest = Effect.gen(function* () {
      const [quote, head] = yield* Effect.all(
        [
          api.quote({ ...request, ...partiesOf(request), slippageBps: USUAL_SLIPPAGE_BPS }),
          isCrossChain ? rpc.call(chainIdOut, () => rpc.latestBlock(chainIdOut, HEAD_AGE_MS)) : Effect.succeed(null)
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
    return coalescedQuotes(key, routeRequest)
  }

  const callsOf = Effect.fnUntraced(function* (
    chainId: EvmChainId,
    request: OfferRequest,
    estimate: LiFiQuote,
    terms: OfferTerms
  ): Effect.fn.Return<ReadonlyArray<Call>, OfferError> {
    const target = deploymentOf(chainId).lifi.diamond
    const chainIdOut = request.tokenOut.chainId
    const isCrossChain = chainIdOut !== chainId && isEvmChainId(chainIdOut)
    const largestBps = slippageBpsOrNull(estimate.amountOut, terms.minAmountOut)
    if (largestBps === null) {
      return yield* new RouteNotFound({
        provider: NAME,
        reason: "its current output is below the requested minimum output"
      })
    }
    const { recipient, sender } = terms
    const slippageBps = isCrossChain ? Math.max(0, largestBps - ROUNDING_BPS) : largestBps
    const { minAmount, transaction } = yield* api.quote({ ...request, sender, recipient, slippageBps })
    if (chainIdOut === 0 && minAmount < terms.minAmountOut) {
      return yield* new RouteNotFound({
        provider: NAME,
        reason: "its current minimum output is below the requested minimum output"
      })
    }
    const routeReader = readerFor(chainId, chainIdOut, terms)
    yield* requireFaultless(lifiProvider, callFault({ request, terms, target }, transaction, routeReader))
    return routeCalls(NAME, request, terms, target, transaction)
  })

  const offerOf = routeOffers({
    provider: lifiProvider,
    routerOn: (chainId) => deploymentOf(chainId).lifi.diamond,
    maxAgeMs: QUOTE_TTL_MS,
    routeFor: estimateFor,
    callsOf,
    // The key excludes the deadline: it is always a few minutes after the request, and would make every key unique.
    keyOf: ({ minAmountOut, recipient, sender }) => `${sender} ${recipient} ${minAmountOut}`,
    afterwardsOf: ({ tokenOut }, estimate) => ({
      seconds: estimate.fillSeconds,
      stages: stagesOf(tokenOut.chainId, estimate),
      ...(tokenOut.chainId === 0 ? { notices: [CHAINFLIP_NOTICE] } : {})
    })
  })

  const provider: SwapProvider = {
    ...lifiProvider,
    serves: ({ chainIdIn, chainIdOut, isLimitOrder }) =>
      !isLimitOrder &&
      (isEvmChainId(chainIdIn)
        ? supportsChains(chainIdIn, chainIdOut, { hasBitcoinConnection, isServed })
        : hasBitcoinConnection && isEvmChainId(chainIdOut)),
    stages: Effect.gen(function* () {
      const bitcoinStage = yield* statusStage(host, rpc, { chain, transactions })
      return hasAcross ? bitcoinStage : [...bitcoinStage, yield* acrossFillStage(rpc, times, isServed)]
    }),
    offer: Effect.fnUntraced(function* (request) {
      const { chainId } = request.tokenIn
      if (chainId === 0) return yield* bitcoinOfferFor(request)
      const { chainId: chainIdOut, address: boughtToken } = request.tokenOut
      if (chainIdOut === 0) return offerOf(chainId, request, yield* estimateFor(request))
      const { wrappedNative } = deploymentOf(chainIdOut)
      if (chainId !== chainIdOut && pooledToken(boughtToken, deploymentOf(chainIdOut)) === wrappedNative.address) {
        const reason = "the native token may arrive wrapped on another chain, depending on the receiver's code there"
        return yield* new RouteNotFound({ provider: NAME, reason })
      }
      return offerOf(chainId, request, yield* estimateFor(request))
    })
  }
  return provider
})
