import type {
  Holding,
  Portfolio,
  PortfolioChart,
  Profit,
  TimeRange,
  TokenProfit
} from "@countersign/core/accounting/portfolio"
import type { ChainId } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits, mulDivRoundingDown } from "@countersign/core/foundation/primitives"
import {
  type ByToken,
  decimalFromPrice,
  type Token,
  tokenKey,
  type UsdPriceE18,
  usdValueOrNull
} from "@countersign/core/foundation/tokens"
import type { Nft, NftMetadata } from "@countersign/core/wallets/nfts"
import { DateTime } from "effect"
import { coinGeckoIdOrNull } from "../../tokens/market-data/index.ts"
import { lendingPositionBody } from "./lendingTranslation.ts"
import { type BaseUrl, chainBody, type ExplorerOf, tokenBody } from "./links.ts"
import { positionBody } from "./positionTranslation.ts"

const USD_DECIMALS = 6
const NO_METADATA: NftMetadata = { name: null, description: null, image: null }
const PERCENT_DECIMALS = 2

/** Formats a signed amount as a decimal. */
const signedDecimal = (units: bigint, decimals: number): string =>
  units < 0n ? `-${decimalFromBaseUnits(-units, decimals)}` : decimalFromBaseUnits(units, decimals)

const usdText = (usdE6: bigint | null): string | null => (usdE6 === null ? null : signedDecimal(usdE6, USD_DECIMALS))

/**
 * Returns the profit in percent of the invested value, with two decimals, rounded towards zero. Null if one of the two
 * values is unknown, or if nothing was invested.
 */
const roiText = ({ investedE6, profitE6 }: Profit): string | null =>
  profitE6 === null || investedE6 === null || investedE6 === 0n
    ? null
    : signedDecimal(mulDivRoundingDown(profitE6, 10n ** BigInt(2 + PERCENT_DECIMALS), investedE6), PERCENT_DECIMALS)

const averageBuyPriceText = ({ holding: { costE6, units } }: Profit, { decimals }: Token): string | null =>
  costE6 === null || units === 0n
    ? null
    : decimalFromBaseUnits(mulDivRoundingDown(costE6, 10n ** BigInt(decimals), units), USD_DECIMALS)

const pnlBody = (profit: Profit, token: Token, timerange: TimeRange) => ({
  profitAbsUsd: usdText(profit.profitE6),
  roi: roiText(profit),
  inflowUsd: usdText(profit.inflowE6),
  outflowUsd: usdText(profit.outflowE6),
  averageBuyPriceUsd: averageBuyPriceText(profit, token),
  timerange
})

type PnlBody = ReturnType<typeof pnlBody>

const portfolioTokenBody = (base: BaseUrl, holding: Holding, pnl: PnlBody | null) => {
  const { asOf, price, token, unconfirmed, units } = holding
  const { chainId, logoURL, ...fields } = tokenBody(base, token)
  return {
    ...fields,
    marketDataId: coinGeckoIdOrNull(token),
    logo: logoURL,
    chain: chainBody(base, chainId),
    balance: String(units),
    balanceFormatted: decimalFromBaseUnits(units, token.decimals),
    ...(unconfirmed === undefined ? {} : { unconfirmedBalance: String(unconfirmed) }),
    balanceUsd: usdValueOrNull(units, token, price?.usd),
    priceUsd: price === null ? null : decimalFromPrice(price.usd),
    priceSource: price?.source ?? null,
    priceStale: price?.isStale ?? false,
    asOf: DateTime.formatIso(asOf),
    pnl
  }
}

const nftBody = (base: BaseUrl, { amount, chainId, collection, contract, metadata, tokenId }: Nft) => {
  const { description, image, name } = metadata === null || metadata === "UNDECODABLE" ? NO_METADATA : metadata
  return {
    address: contract,
    collection: { ...collection, logo: null },
    tokenId: String(tokenId),
    name,
    description,
    image,
    amount: String(amount),
    chain: chainBody(base, chainId)
  }
}
export const portfolioChartBody = (
  base: BaseUrl,
  { asOf, omitted, points, unread }: PortfolioChart,
  timerange: TimeRange
) => ({
  timerange,
  points: points.map(({ atMs, valueE6 }) => ({
    at: DateTime.formatIso(DateTime.makeUnsafe(atMs)),
    valueUsd: usdText(valueE6)
  })),
  leftOut: omitted.map((token) => tokenBody(base, token)),
  asOf: DateTime.formatIso(asOf),
  unread: unread.map(({ chainId, reason }) => ({ chain: chainBody(base, chainId), reason }))
})

const missingPriceText = ({ inflowE6, outflowE6 }: Profit): string =>
  inflowE6 === null || outflowE6 === null
    ? "No source has a price for the time of one of the token's movements."
    : "No source has the token's price at the beginning of the time range, or its current price."

const totalBody = (base: BaseUrl, profits: ReadonlyArray<TokenProfit>) => ({
  totalUsd: signedDecimal(
    profits.reduce((sum, { profit }) => sum + (profit.profitE6 ?? 0n), 0n),
    USD_DECIMALS
  ),
  incomplete: profits
    .filter(({ profit }) => profit.profitE6 === null)
    .map(({ profit, token }) => ({ token: tokenBody(base, token), reason: missingPriceText(profit) }))
})

export const portfolioBody = (
  { base, explorerOf }: { readonly base: BaseUrl; readonly explorerOf: ExplorerOf },
  { asOf, holdings, lending, liquidity, nfts, profits, unread }: Portfolio,
  {
    hasTokens,
    prices,
    timerange
  }: { readonly hasTokens: boolean; readonly prices: ByToken<UsdPriceE18>; readonly timerange: TimeRange }
) => {
  const pnls = new Map(profits?.map(({ profit, token }) => [tokenKey(token), pnlBody(profit, token, timerange)]))
  const tokenBodies = (holdings ?? []).map((holding) =>
    portfolioTokenBody(base, holding, pnls.get(tokenKey(holding.token)) ?? null)
  )
  const heldKeys = new Set(holdings?.map(({ token }) => tokenKey(token)))
  const unreadIds = new Set<ChainId>(unread.map(({ chainId }) => chainId))
  const isSold = ({ profit: { inflowE6, outflowE6 }, token }: TokenProfit) =>
    !heldKeys.has(tokenKey(token)) && !unreadIds.has(token.chainId) && (inflowE6 !== 0n || outflowE6 !== 0n)
  const soldTokens = (profits ?? [])
    .filter(isSold)
    .map(({ price, profit, token }) =>
      portfolioTokenBody(base, { token, units: 0n, price, asOf }, pnlBody(profit, token, timerange))
    )
  return {
    tokens: hasTokens ? tokenBodies : [],
    nfts: (nfts ?? []).map((nft) => nftBody(base, nft)),
    portfolio: profits === null ? [] : [...tokenBodies, ...soldTokens],
    pnl: profits === null ? null : { timerange, total: totalBody(base, profits) },
    liquidityPositions: (liquidity ?? []).map((position) => positionBody(base, explorerOf, position)),
    lendingPositions: (lending ?? []).map((position) => lendingPositionBody(base, position, prices)),
    asOf: DateTime.formatIso(asOf),
    unread: unread.map(({ chainId, reason }) => ({ chain: chainBody(base, chainId), reason }))
  }
}
