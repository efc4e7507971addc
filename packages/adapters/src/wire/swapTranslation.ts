import type { Candidate, SwapContent, SwapQuote, SwapQuotes } from "@countersign/core/swap"
import { decimalFromPrice, pricesOf, type Token, tokenKey, usdValueOrNull } from "@countersign/core/tokens"
import { DateTime } from "effect"
import { amountText, feeBody } from "./amounts.ts"
import { amongTokens, gasBody, previewBody, signingOf } from "./prepared.ts"

const collectedFeeBody = ({ collectors, request, split, tokens: { tokenIn } }: SwapContent) => ({
  collectedFeeToken: tokenIn.address,
  collectedFee: amountText(split.treasuryFee, tokenIn),
  collectedFeePercent: String(collectors.treasury === null ? 0 : request.transactionFeePercent),
  serviceCollectedFee: amountText(split.operatorFee, tokenIn),
  serviceCollectedFeePercent: String(collectors.operatorTreasury === null ? 0 : collectors.operatorSharePercent)
})

const candidateBody = (candidate: Candidate, tokenOut: Token) => ({
  ...candidate,
  amountOut: candidate.amountOut === null ? null : amountText(candidate.amountOut, tokenOut)
})

export const quoteBody = ({ content, quote }: SwapQuote) => {
  const { request, tokens } = content
  const { payGasFeeToken, tokenIn, tokenOut } = tokens
  const find = amongTokens([tokenIn, tokenOut, payGasFeeToken])
  const prices = pricesOf(content.prices)
  const priceOf = (token: Token) => prices.get(tokenKey(token))
  const priceIn = priceOf(tokenIn)
  const { authorization, quoteId, revertReason, signData, typedData, userOperationHash } = signingOf(quote)
  return {
    type: "SWAP" as const,
    metadata: quote.metadata,
    ...revertReason,
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    amountIn: request.amountIn,
    minAmountOut: amountText(content.minAmountOut, tokenOut),
    amountOut: amountText(content.amountOut, tokenOut),
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
    preview: previewBody(content.calls, content.assetChanges, find),
    candidates: content.candidates.map((candidate) => candidateBody(candidate, tokenOut))
  }
}

export const quotesBody = ({ quotes }: Pick<SwapQuotes, "quotes">) => ({ quotes: quotes.map(quoteBody) })
