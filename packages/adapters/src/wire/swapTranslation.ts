import { decimalFromBaseUnits } from "@countersign/core/primitives"
import {
  type Candidate,
  rateRoundingDown,
  type SwapContent,
  type SwapQuote,
  type SwapQuotes
} from "@countersign/core/swap"
import { decimalFromPrice, pricesOf, type Token, tokenKey, usdValueOrNull } from "@countersign/core/tokens"
import { DateTime } from "effect"
import { amountText, feeBody } from "./amounts.ts"
import { amongTokens, gasBody, previewBody, signingOf } from "./prepared.ts"
import { routeBody } from "./route.ts"

const collectedFeeBody = ({ collectors, request, split, tokens: { tokenIn } }: SwapContent) => ({
  collectedFeeToken: tokenIn.address,
  collectedFee: amountText(split.treasuryFee, tokenIn),
  collectedFeePercent: String(collectors.treasury === null ? 0 : request.transactionFeePercent),
  serviceCollectedFee: amountText(split.operatorFee, tokenIn),
  serviceCollectedFeePercent: String(collectors.operatorTreasury === null ? 0 : collectors.operatorSharePercent)
})

const candidateBody = ({ skippedPools, ...candidate }: Candidate, tokenOut: Token) => ({
  ...candidate,
  leftOut: skippedPools,
  amountOut: candidate.amountOut === null ? null : amountText(candidate.amountOut, tokenOut)
})

/** What the fields of a swap have in common that tell of its price. Amounts are in base units. */
type Priced = Pick<SwapContent, "amountOut" | "priceImpactE18" | "route"> & { readonly amountIn: bigint }

/** Percent with four decimals, rounded up: the impact is never shown smaller than it is. */
export const impactPercentRoundingUp = (impactE18: bigint): string => {
  const step = 10n ** 12n
  const percent = impactE18 > 0n ? (impactE18 + step - 1n) / step : impactE18 / step
  return percent < 0n ? `-${decimalFromBaseUnits(-percent, 4)}` : decimalFromBaseUnits(percent, 4)
}

/** Rate, price impact and route of a swap, or of a swap in a batch. */
export const priceBody = ({ amountIn, amountOut, priceImpactE18, route }: Priced, tokenIn: Token, tokenOut: Token) => {
  const [sold, bought] = [
    { token: tokenIn, amount: amountIn },
    { token: tokenOut, amount: amountOut }
  ]
  return {
    rate: rateRoundingDown(sold, bought),
    inverseRate: rateRoundingDown(bought, sold),
    priceImpactPercent: priceImpactE18 === null ? null : impactPercentRoundingUp(priceImpactE18),
    route: routeBody(route, tokenIn, tokenOut)
  }
}

export const quoteBody = ({ content, quote }: SwapQuote) => {
  const { request, tokens } = content
  const { payGasFeeToken, tokenIn, tokenOut } = tokens
  const find = amongTokens([tokenIn, tokenOut, payGasFeeToken])
  const prices = pricesOf(content.prices)
  const priceOf = (token: Token) => prices.get(tokenKey(token))
  const priceIn = priceOf(tokenIn)
  const { authorization, quoteId, revertReason, signData, typedData, userOperationHash, userOperations } =
    signingOf(quote)
  return {
    type: "SWAP" as const,
    metadata: quote.metadata,
    ...revertReason,
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    amountIn: request.amountIn,
    minAmountOut: amountText(content.minAmountOut, tokenOut),
    amountOut: amountText(content.amountOut, tokenOut),
    ...priceBody(content, tokenIn, tokenOut),
    chainIn: request.chainIdIn,
    chainOut: request.chainIdOut,
    estimatedExecutionTime: DateTime.formatIso(content.estimatedExecutionTime),
    estimatedGasFees: gasBody(content.gas, payGasFeeToken, prices),
    estimatedCollectedFee: collectedFeeBody(content),
    amountInUSD: usdValueOrNull(content.amountIn, tokenIn, priceIn),
    amountOutUSD: usdValueOrNull(content.amountOut, tokenOut, priceOf(tokenOut)),
    tokenInPrice: priceIn === undefined ? null : decimalFromPrice(priceIn),
    swapProvider: content.provider,
    expiresAt: Math.floor(DateTime.toEpochMillis(quote.expiresAt) / 1000),
    fees: content.fees.map((fee) => feeBody(fee, find)),
    ...typedData,
    userOperationHash,
    quoteId,
    ...authorization,
    walletAddress: request.walletAddress,
    toAddress: request.toAddress,
    signData,
    warnings: content.warnings,
    userOperations,
    preview: previewBody(request.chainIdIn, content.calls, content, find),
    candidates: content.candidates.map((candidate) => candidateBody(candidate, tokenOut))
  }
}

export const quotesBody = ({ quotes }: Pick<SwapQuotes, "quotes">) => ({ quotes: quotes.map(quoteBody) })
