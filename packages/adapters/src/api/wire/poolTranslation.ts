import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import {
  type LiquidityPool,
  type PoolPage,
  type PoolSearch,
  type PoolStatisticsOverRange,
  type PoolTokenBalance,
  poolId,
  priceRoundingDown,
  usdTextOrNull
} from "@countersign/core/trading/pools"
import { DateTime, type Schema } from "effect"
import { type BaseUrl, chainBody, type ExplorerOf, tokenBody } from "./links.ts"
import type { LiquidityPoolBody, PoolsQuery, PoolsResponse } from "./pools.ts"

const PIPS_PER_PERCENT = 10_000

export const pipsToPercent = (feePips: number): number => feePips / PIPS_PER_PERCENT

const MILLION = 1_000_000

const sideBody = (base: BaseUrl, { balance, shareE6, token }: PoolTokenBalance) => {
  const { chainId: _, logoURL, ...fields } = tokenBody(base, token)
  return {
    ...fields,
    poolShareInPercentage: shareE6 === null ? null : Number(shareE6) / (MILLION / 100),
    poolShare: shareE6 === null ? null : Number(shareE6) / MILLION,
    amount: decimalFromBaseUnits(balance, token.decimals),
    logo: logoURL
  }
}

type Sides = LiquidityPool["sides"]

const amountsBody = (amounts: readonly [bigint, bigint] | null, sides: Sides) =>
  amounts === null ? null : amounts.map((amount, i) => decimalFromBaseUnits(amount, sides[i]!.token.decimals))

const statsBody = (statistics: PoolStatisticsOverRange, sides: Sides) => ({
  rangeInDays: statistics.rangeInDays,
  feesInUSD: usdTextOrNull(statistics.feesUsdE6),
  volumeInUSD: usdTextOrNull(statistics.volumeUsdE6),
  transactionsCount: statistics.transactions,
  volumes: amountsBody(statistics.volumes, sides),
  fees: amountsBody(statistics.fees, sides),
  indexedFrom:
    statistics.knownFrom === null ? null : DateTime.formatIso(DateTime.makeUnsafe(statistics.knownFrom * 1_000)),
  complete: statistics.isWhole
})

/** Builds the Uniswap V3 provider with its links. */
export const v3ProviderBody = (base: BaseUrl, explorerURL: string) => ({
  id: "LIQUIDITY_PROVIDER_V3",
  name: "Uniswap V3",
  logoUrl: `${base}/logos/providers/LIQUIDITY_PROVIDER_V3.svg`,
  explorerURL
})

export const poolBody = (
  base: BaseUrl,
  explorerOf: ExplorerOf,
  { sides, state, statistics, valueUsdE6 }: LiquidityPool
): typeof LiquidityPoolBody.Type => ({
  id: poolId(state),
  provider: v3ProviderBody(base, `${explorerOf(state.chainId).url}/address/${state.address}`),
  address: state.address,
  chain: chainBody(base, state.chainId),
  fee: pipsToPercent(state.feePips),
  price: priceRoundingDown(state.sqrtPriceX96, sides[0].token.decimals, sides[1].token.decimals),
  totalValueLockedUSD: usdTextOrNull(valueUsdE6),
  tokens: sides.map((side) => sideBody(base, side)),
  stats: statsBody(statistics, sides)
})

/** Converts the query parameters to a pool search of the core. */
export const poolSearchOf = (query: Schema.Struct<typeof PoolsQuery>["Type"]): PoolSearch => {
  const { fee = null, lastId = null, token0 = null, token1 = null, ...search } = query
  return { ...search, token0, token1, feePercent: fee, lastId }
}

export const poolsBody = (
  base: BaseUrl,
  explorerOf: ExplorerOf,
  { nextLastId, pools }: PoolPage
): typeof PoolsResponse.Type => ({ pools: pools.map((pool) => poolBody(base, explorerOf, pool)), nextLastId })
