import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import { pricesOf, type Token } from "@countersign/core/foundation/tokens"
import {
  type AddLiquidityContent,
  type CreateLiquidityContent,
  conventionOf,
  type LiquidityQuote,
  priceAtTick,
  priceText,
  type RebalanceLiquidityContent,
  type WithdrawLiquidityContent
} from "@countersign/core/trading/liquidity"
import { DateTime } from "effect"
import { amountText, feeBody } from "./amounts.ts"
import { type BaseUrl, tokenBody } from "./links.ts"
import { gasBody, operationSigningOf, previewBody, tokenFinder } from "./preparedBody.ts"
import { impactPercentRoundingUp } from "./swapTranslation.ts"

type Content = CreateLiquidityContent | AddLiquidityContent | WithdrawLiquidityContent | RebalanceLiquidityContent
type DepositContent = CreateLiquidityContent | AddLiquidityContent | RebalanceLiquidityContent

interface Amounts {
  readonly amount0: bigint
  readonly amount1: bigint
}

const amountsBody = ({ amount0, amount1 }: Amounts, tokens: { readonly token0: Token; readonly token1: Token }) => ({
  amount0: amountText(amount0, tokens.token0),
  amount1: amountText(amount1, tokens.token1)
})

const amountsText = (content: DepositContent): string => {
  const { amount0, amount1 } = amountsBody(content.amounts, content.tokens)
  return `${amount0},${amount1}`
}

/**
 * Builds the price range, in the token order of the response. If that order is the reverse of the pool's order, the two
 * ends are swapped.
 */
const rangeBody = ({ isReversed, tickLower, tickUpper, tokens: { token0, token1 } }: DepositContent) => {
  const convention = conventionOf({ token0, token1, isInOrder: !isReversed })
  const [min, max] = isReversed ? [tickUpper, tickLower] : [tickLower, tickUpper]
  return { minPrice: priceText(priceAtTick(min, convention)), maxPrice: priceText(priceAtTick(max, convention)) }
}

const placementBody = (content: DepositContent) => ({
  token0: content.tokens.token0.address,
  token1: content.tokens.token1.address,
  ...amountsBody(content.amounts, content.tokens),
  liquidity: String(content.liquidity),
  leftovers: amountsBody(content.leftovers, content.tokens),
  tickLower: content.tickLower,
  tickUpper: content.tickUpper,
  range: rangeBody(content),
  pool: content.pool,
  poolFeePercent: decimalFromBaseUnits(BigInt(content.feePips), 4),
  priceImpactPercent: impactPercentRoundingUp(content.priceImpactE18)
})

/** Builds the fields that all prepared liquidity operations have in common. */
const preparedBody = <C extends Content>({ content, quote }: LiquidityQuote<C>) => {
  const { request, tokens } = content
  const { authorization, quoteId, revertReason, signData, userOperationHash, userOperations } =
    operationSigningOf(quote)
  const find = tokenFinder(Object.values(tokens))
  return {
    quoteId,
    userOperationHash,
    ...revertReason,
    ...authorization,
    liquidityProvider: request.liquidityProvider,
    walletAddress: request.walletAddress,
    slippage: request.slippage,
    nftAddress: content.manager,
    fees: content.fees.map((fee) => feeBody(fee, find)),
    estimatedGasFees: gasBody(content.gas, tokens.payGasFeeToken, pricesOf(content.prices)),
    estimatedExecutionTime: DateTime.formatIso(content.estimatedExecutionTime),
    expiresAt: DateTime.formatIso(quote.expiresAt),
    signData,
    warnings: content.warnings,
    userOperations,
    preview: previewBody(request.chainId, content.calls, content, find),
    metadata: quote.metadata
  }
}

const depositBody = (base: BaseUrl, liquidityQuote: LiquidityQuote<CreateLiquidityContent | AddLiquidityContent>) => {
  const { content } = liquidityQuote
  const { request, tokens } = content
  const unitsText = (units: bigint) => amountText(units, tokens.tokenIn)
  return {
    ...preparedBody(liquidityQuote),
    tokenIn: tokenBody(base, tokens.tokenIn),
    amountIn: request.amountIn,
    tokenInAmountForToken0: unitsText(content.forToken0),
    tokenInAmountForToken1: unitsText(content.forToken1),
    amounts: amountsText(content),
    chain: request.chainId,
    estimatedApr: content.estimatedApr,
    poolCreated: content.poolCreated,
    ...placementBody(content)
  }
}

export const liquidityCreateBody = (base: BaseUrl, liquidityQuote: LiquidityQuote<CreateLiquidityContent>) => ({
  type: "LIQUIDITY_CREATE" as const,
  ...depositBody(base, liquidityQuote),
  toAddress: liquidityQuote.content.request.toAddress,
  tokenId: null
})

export const liquidityAddBody = (base: BaseUrl, liquidityQuote: LiquidityQuote<AddLiquidityContent>) => ({
  type: "LIQUIDITY_ADD" as const,
  ...depositBody(base, liquidityQuote),
  toAddress: liquidityQuote.content.request.walletAddress,
  tokenId: liquidityQuote.content.request.tokenId
})

const echoBody = <C extends WithdrawLiquidityContent | RebalanceLiquidityContent>(
  liquidityQuote: LiquidityQuote<C>
) => {
  const { request } = liquidityQuote.content
  return {
    ...preparedBody(liquidityQuote),
    toAddress: request.toAddress,
    chainId: request.chainId,
    tokenId: request.tokenId,
    transactionFeePercent: request.transactionFeePercent,
    extraFee: request.extraFee ?? null,
    payGasFeeToken: request.payGasFeeToken
  }
}

export const liquidityWithdrawBody = (liquidityQuote: LiquidityQuote<WithdrawLiquidityContent>) => {
  const { content } = liquidityQuote
  const { request, tokens } = content
  return {
    type: "LIQUIDITY_WITHDRAW" as const,
    ...echoBody(liquidityQuote),
    tokenOut: request.tokenOut,
    percentage: request.percentage,
    amountOut: amountText(content.amountOut, tokens.tokenOut),
    minAmountOut: amountText(content.minAmountOut, tokens.tokenOut),
    token0: tokens.token0.address,
    token1: tokens.token1.address,
    removed: amountsBody(content.removed, tokens),
    collected: amountsBody(content.collected, tokens),
    liquidity: String(content.liquidity),
    burned: content.isEmptied,
    priceImpactPercent: impactPercentRoundingUp(content.priceImpactE18)
  }
}

export const liquidityRebalanceBody = (liquidityQuote: LiquidityQuote<RebalanceLiquidityContent>) => {
  const { content } = liquidityQuote
  return {
    type: "LIQUIDITY_REBALANCE" as const,
    ...echoBody(liquidityQuote),
    newPosition: content.request.newPosition,
    amountOut: null,
    minAmountOut: null,
    removed: amountsBody(content.removed, content.tokens),
    collected: amountsBody(content.collected, content.tokens),
    amounts: amountsText(content),
    ...placementBody(content)
  }
}
