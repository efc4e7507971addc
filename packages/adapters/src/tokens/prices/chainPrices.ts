import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type { Address } from "@countersign/core/foundation/primitives"
import { reportedPrice, type TokenPrice } from "@countersign/core/foundation/tokens"
import { Effect } from "effect"
import {
  type ChainDeployment,
  deploymentOf,
  type ListedToken,
  pooledToken,
  priceFeedsOf
} from "../../chains/deployments/index.ts"
import type { ReadCall, RpcClients } from "../../chains/evm/index.ts"
import { type CallResult, multicall, type PoolReader } from "../../exchanges/pools/index.ts"
import { feedPriceRoundingDown, latestRoundCall, roundOf, sequencerIsUp } from "./feedPrice.ts"
import { type Anchor, poolPriceOf } from "./poolPrice.ts"
import { CALLS_PER_POOL, type PricedPool, poolCalls, pricedPool } from "./poolState.ts"

const ONE_USD_E18 = 10n ** 18n
const DOLLAR_SYMBOLS = new Set(["USDC", "USDT", "DAI", "XDAI", "WXDAI"])

const isDollar = ({ symbol }: ListedToken): boolean => DOLLAR_SYMBOLS.has(symbol.toUpperCase())

const oneDollar: TokenPrice = { ...reportedPrice(ONE_USD_E18), source: "DOLLAR" }

/** The reads for the prices of some tokens: oracle feeds, and pools with a US dollar token or the native token. */
interface PriceReads {
  readonly feeds: ReturnType<typeof priceFeedsOf>["feeds"]
  readonly sequencer: Address | null
  readonly pools: ReadonlyArray<{ readonly address: Address; readonly token0: Address; readonly token1: Address }>
}

const priceReadsFor = (
  { keys }: PoolReader["Service"],
  deployment: ChainDeployment,
  tokens: ReadonlySet<Address>
): PriceReads => {
  const { chainId, tokens: listedTokens, wrappedNative } = deployment
  const { feeds, sequencerUptimeFeed } = priceFeedsOf(chainId)
  const anchors = [...listedTokens.filter(isDollar).map(({ address }) => address), wrappedNative.address]
  const pools = [...tokens].flatMap((token) =>
    anchors
      .filter((anchor) => anchor !== token)
      .flatMap((anchor) => keys(chainId, token, anchor))
      .filter((key) => key._tag === "V3")
  )
  return {
    feeds: feeds.filter(({ token }) => tokens.has(token) || anchors.includes(token)),
    sequencer: sequencerUptimeFeed,
    pools: [...new Map(pools.map((pool) => [pool.address, pool])).values()]
  }
}

const callsOf = ({ feeds, pools, sequencer }: PriceReads): ReadonlyArray<ReadCall> => [
  ...(sequencer === null ? [] : [{ target: sequencer, callData: latestRoundCall }]),
  ...feeds.map(({ feed }) => ({ target: feed, callData: latestRoundCall })),
  ...pools.flatMap(({ address }) => poolCalls(address))
]

interface PriceResponses {
  /** US dollar prices by token, from usable oracle reports. */
  readonly reportedPrices: ReadonlyMap<Address, bigint>
  readonly pools: ReadonlyArray<PricedPool>
}

const decodePrices = (
  { feeds, pools, sequencer }: PriceReads,
  blockTimestamp: number,
  results: ReadonlyArray<CallResult>
): PriceResponses => {
  const feedOffset = sequencer === null ? 0 : 1
  const poolOffset = feedOffset + feeds.length
  const usesReports = sequencer === null || sequencerIsUp(roundOf(results[0] ?? null), blockTimestamp)
  const reportedPrices = feeds.flatMap(({ decimals, token }, i) => {
    const usd = feedPriceRoundingDown(roundOf(results[feedOffset + i] ?? null), decimals, blockTimestamp)
    return usd === null || !usesReports ? [] : [[token, usd] as const]
  })
  return {
    reportedPrices: new Map(reportedPrices),
    pools: pools.flatMap((pool, i) => {
      const offset = poolOffset + i * CALLS_PER_POOL
      return pricedPool(pool, results.slice(offset, offset + CALLS_PER_POOL)) ?? []
    })
  }
}

/** Computes the token prices from the results of the calls. Oracle reports have precedence over pools. */
const pricesOf = (
  { tokens: listedTokens, wrappedNative }: ChainDeployment,
  { pools, reportedPrices }: PriceResponses,
  tokens: ReadonlySet<Address>
): ReadonlyMap<Address, TokenPrice> => {
  const priceWith = (token: ListedToken, anchors: ReadonlyArray<Anchor>): TokenPrice | null => {
    const otherAnchors = anchors.filter(({ address }) => address !== token.address)
    const poolPrice = poolPriceOf(pools, token.address, token.decimals, otherAnchors)
    const inPoolUsd = poolPrice?.inPool ?? null
    const report = reportedPrices.get(token.address)
    if (report !== undefined) return reportedPrice(report, inPoolUsd)
    return isDollar(token) ? { ...oneDollar, inPool: inPoolUsd } : poolPrice
  }
  const anchorOf = (token: ListedToken, price: TokenPrice | null): ReadonlyArray<Anchor> =>
    price === null ? [] : [{ address: token.address, decimals: token.decimals, price }]
  const dollarAnchors = listedTokens.filter(isDollar).flatMap((token) => anchorOf(token, priceWith(token, [])))
  const anchors = [...dollarAnchors, ...anchorOf(wrappedNative, priceWith(wrappedNative, dollarAnchors))]
  return new Map(
    listedTokens.flatMap((token) => {
      const price = tokens.has(token.address) ? priceWith(token, anchors) : null
      return price === null ? [] : [[token.address, price] as const]
    })
  )
}

/**
 * Reads the current prices of a chain's tokens in one request. The native token has the price of its wrapped token.
 * Omits unknown prices.
 */
export const chainPrices = Effect.fnUntraced(function* (
  rpc: RpcClients["Service"],
  reader: PoolReader["Service"],
  chainId: EvmChainId,
  requestedTokens: ReadonlyArray<Address>
): Effect.fn.Return<ReadonlyMap<Address, TokenPrice>, UpstreamUnavailable> {
  const deployment = deploymentOf(chainId)
  const tokens = new Set([
    ...requestedTokens.map((token) => pooledToken(token, deployment)),
    deployment.wrappedNative.address
  ])
  const priceReads = priceReadsFor(reader, deployment, tokens)
  const { results, timestamp } = yield* rpc.call(chainId, (client) =>
    multicall(client, chainId, callsOf(priceReads), null)
  )
  const prices = pricesOf(deployment, decodePrices(priceReads, timestamp, results), tokens)
  return new Map(
    requestedTokens.flatMap((token) => {
      const price = prices.get(pooledToken(token, deployment))
      return price === undefined ? [] : [[token, price] as const]
    })
  )
})
