import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import {
  type ByToken,
  decimalFromPrice,
  pricesOf,
  type Token,
  tokenKey,
  type UsdPriceE18,
  usdValueOrNull
} from "@countersign/core/foundation/tokens"
import type {
  FailedQuery,
  LendingContent,
  LendingFigures,
  LendingMarketInfo,
  LendingPosition,
  LendingQuote,
  ListedResults,
  ProviderItem,
  QuotedLeg
} from "@countersign/core/trading/lending"
import { DateTime } from "effect"
import { amountText, coinText } from "./amounts.ts"
import { type BaseUrl, chainBody, tokenBody } from "./links.ts"
import { operationSigningOf, previewBody, tokenFinder } from "./preparedBody.ts"

type Prices = ByToken<UsdPriceE18>

const e18Text = (value: bigint | null | undefined): string | null =>
  value === null || value === undefined ? null : decimalFromBaseUnits(value, 18)

/** Formats a fraction, scaled by 10^18, as an exact percentage. */
const percentText = (shareE18: bigint): string => decimalFromBaseUnits(shareE18, 16)
const percentOrNull = (shareE18: bigint | null | undefined): string | null =>
  shareE18 === null || shareE18 === undefined ? null : percentText(shareE18)

const providerBody = (base: BaseUrl, { id, name }: LendingContent["provider"]) => ({
  name,
  logo: `${base}/logos/providers/${id}.svg`,
  id
})

const amountBody = (amount: bigint, token: Token, prices: Prices) => ({
  value: amountText(amount, token),
  usd: usdValueOrNull(amount, token, prices.get(tokenKey(token)))
})

const legTokenBody = ({ amount, token }: QuotedLeg, prices: Prices) => ({
  tokenAddress: token.address,
  chainId: token.chainId,
  amount: amountBody(amount, token, prices)
})

/** Builds the receipt token of a supply or a withdrawal. Its value is the value of the underlying token. */
const receiptBody = (leg: QuotedLeg, { receipt }: LendingContent, prices: Prices) => {
  const body = legTokenBody(leg, prices)
  if (receipt === null) return body
  const value = decimalFromBaseUnits(receipt.amount, receipt.decimals)
  return { ...body, tokenAddress: receipt.token, amount: { ...body.amount, value } }
}

const legBodies = (content: LendingContent, prices: Prices) => {
  const { borrow, repay, supply, withdraw } = content.legs
  const price = supply === undefined ? undefined : prices.get(tokenKey(supply.token))
  return {
    supply:
      supply === undefined
        ? null
        : {
            tokenIn: {
              ...legTokenBody(supply, prices),
              price: price === undefined ? null : decimalFromPrice(price)
            },
            tokenOut: receiptBody(supply, content, prices)
          },
    borrow: borrow === undefined ? null : { token: legTokenBody(borrow, prices) },
    repay: repay === undefined ? null : { token: legTokenBody(repay, prices) },
    withdraw:
      withdraw === undefined
        ? null
        : { tokenIn: receiptBody(withdraw, content, prices), tokenOut: legTokenBody(withdraw, prices) }
  }
}

/** Builds the gas fees of a lending operation. */
export const lendingFeeBodies = (
  { fees, gas, payGasFeeToken }: Pick<LendingContent, "fees" | "gas" | "payGasFeeToken">,
  prices: Prices
) =>
  fees.map((fee) => ({
    type: "GAS" as const,
    amount: amountBody(fee.amount, payGasFeeToken, prices),
    tokenAddress: payGasFeeToken.address,
    nativeAmount: coinText(gas.maxWei),
    recipient: fee.toAddress,
    percent: 0
  }))

const figuresBeforeAndAfter = (
  { outcome: { after, before } }: LendingContent,
  figureText: (figures: LendingFigures) => string | null
) => ({
  before: figureText(before),
  after: after === null ? null : figureText(after)
})

const liquidationBody = (content: LendingContent) => {
  const { after, before } = content.outcome
  const price = after?.liquidationPrice ?? before.liquidationPrice
  // Formats the liquidation price. Null if there is none, or if it is the price of another token than `price`.
  const priceText = ({ liquidationPrice }: LendingFigures) =>
    liquidationPrice === null || liquidationPrice.token !== price?.token ? null : e18Text(liquidationPrice.priceE18)
  return {
    tokenAddress: price?.token ?? null,
    inTokenAddress: price?.inToken ?? null,
    ...figuresBeforeAndAfter(content, priceText)
  }
}

const legTokens = ({ legs, payGasFeeToken }: LendingContent): ReadonlyArray<Token> => [
  ...Object.values(legs).flatMap((leg) => leg?.token ?? []),
  payGasFeeToken
]

export const lendingQuoteBody = (base: BaseUrl, { content, quote }: LendingQuote) => {
  const prices = pricesOf(content.prices)
  const { authorization, quoteId, revertReason, signData, userOperationHash, userOperations } =
    operationSigningOf(quote)
  return {
    type: content.type,
    quoteId,
    userOperationHash,
    ...revertReason,
    ...authorization,
    walletAddress: content.request.walletAddress,
    ...legBodies(content, prices),
    provider: providerBody(base, content.provider),
    marketId: content.marketId,
    side: content.side,
    fees: lendingFeeBodies(content, prices),
    healthFactor: figuresBeforeAndAfter(content, ({ healthFactorE18 }) => e18Text(healthFactorE18)),
    liquidationPrice: liquidationBody(content),
    rates: {
      supplyAprPercent: figuresBeforeAndAfter(content, ({ supplyRateE18 }) => percentOrNull(supplyRateE18)),
      borrowAprPercent: figuresBeforeAndAfter(content, ({ borrowRateE18 }) => percentOrNull(borrowRateE18))
    },
    signData,
    userOperations,
    warnings: content.warnings,
    estimatedSettlementTime: DateTime.formatIso(content.estimatedExecutionTime),
    expiresAt: DateTime.formatIso(quote.expiresAt),
    preview: previewBody(content.chainId, content.calls, content, tokenFinder(legTokens(content))),
    metadata: quote.metadata
  }
}

const lendingMarketBody = (base: BaseUrl, { chainId, item, provider, tokens }: ProviderItem<LendingMarketInfo>) => {
  const [loanToken, collateralToken] = tokens
  const unitsText = (units: bigint) => amountText(units, loanToken ?? null)
  return {
    provider: providerBody(base, provider),
    chain: chainBody(base, chainId),
    marketId: item.marketId,
    loanToken: tokenBody(base, loanToken!),
    collateralToken: collateralToken === undefined ? null : tokenBody(base, collateralToken),
    ltvPercent: percentText(item.ltvE18),
    liquidationThresholdPercent: percentText(item.liquidationThresholdE18),
    supplyAprPercent: percentText(item.supplyRateE18),
    borrowAprPercent: percentText(item.borrowRateE18),
    supplied: unitsText(item.supplied),
    borrowed: unitsText(item.borrowed),
    available: unitsText(item.available),
    supplyCap: item.supplyCap === null ? null : unitsText(item.supplyCap),
    borrowCap: item.borrowCap === null ? null : unitsText(item.borrowCap),
    canSupply: item.canSupply,
    canBorrow: item.canBorrow
  }
}

export const lendingPositionBody = (
  base: BaseUrl,
  { chainId, item, provider, tokens }: ProviderItem<LendingPosition>,
  prices: Prices
) => {
  const token = tokens[0]!
  const { amount, healthFactorE18, isCollateral, marketId, type } = item
  const { address, decimals, name, symbol } = token
  return {
    positionType: type,
    protocolGroupName: provider.name,
    token: { address, name, symbol, decimals, amount: amountText(amount, token) },
    contractName: `${provider.name} ${symbol}`,
    contractSymbol: symbol,
    valueUsd: usdValueOrNull(amount, token, prices.get(tokenKey(token))),
    chain: chainBody(base, chainId),
    provider: providerBody(base, provider),
    marketId,
    isCollateral,
    healthFactor: e18Text(healthFactorE18)
  }
}

const unreadBody = (base: BaseUrl, unread: ReadonlyArray<FailedQuery>) =>
  unread.map(({ chainId, provider, reason }) => ({
    chain: chainBody(base, chainId),
    provider: providerBody(base, provider),
    reason
  }))

export const lendingMarketsBody = (base: BaseUrl, { results, unread }: ListedResults<LendingMarketInfo>) => ({
  markets: results.map((market) => lendingMarketBody(base, market)),
  unread: unreadBody(base, unread)
})

export const lendingPositionsBody = (
  base: BaseUrl,
  { results, unread }: ListedResults<LendingPosition>,
  prices: Prices
) => ({
  positions: results.map((position) => lendingPositionBody(base, position, prices)),
  unread: unreadBody(base, unread)
})
