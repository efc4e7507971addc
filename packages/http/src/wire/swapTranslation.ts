import type { Address } from "@countersign/core/primitives"
import type { Candidate, SwapQuote, SwapQuotes, SwapRequest } from "@countersign/core/swap"
import { DateTime } from "effect"
import type { SwapBody } from "./swap.ts"

/** The request in our words; the wallet's address was told apart from a Bitcoin one by the caller. */
export const swapRequestOf = (body: SwapBody, walletAddress: Address): SwapRequest => ({
  walletAddress,
  toAddress: body.toAddress,
  chainIdIn: body.chainIdIn,
  chainIdOut: body.chainIdOut,
  tokenIn: body.tokenIn,
  tokenOut: body.tokenOut,
  amountIn: body.amountIn,
  routeProfile: body.routeProfile,
  gasFeePaymentMethod: body.gasFeePaymentMethod,
  payGasFeeToken: body.payGasFeeToken,
  transactionFeePercent: body.transactionFeePercent,
  slippagePercent: body.slippage,
  extraFee: body.extraFee ?? null,
  limit:
    body.minAmountOut === undefined
      ? null
      : {
          minAmountOut: body.minAmountOut,
          expirationSeconds: body.expiration ?? null,
          partialFillable: body.partialFillable
        },
  metadata: body.metadata,
  individualId: body.individualId
})

const quoteBody = (quote: SwapQuote, candidates: ReadonlyArray<Candidate>) => {
  const authorization = quote.signData.find((asked) => asked.type === "AUTHORIZATION")?.authorization
  const typedData = quote.signData.find((asked) => asked.type === "USER_OPERATION")?.typedData
  return {
    metadata: quote.metadata,
    ...(quote.revertReason === null ? {} : { revertReason: quote.revertReason }),
    tokenIn: quote.tokenIn,
    tokenOut: quote.tokenOut,
    amountIn: quote.amountIn,
    minAmountOut: quote.minAmountOut,
    amountOut: quote.amountOut,
    chainIn: quote.chainIn,
    chainOut: quote.chainOut,
    estimatedExecutionTime: DateTime.formatIso(quote.estimatedExecutionTime),
    estimatedGasFees: {
      payGasFeeToken: quote.gas.payGasFeeToken,
      maxGasFeeToken: quote.gas.maxGasFeeToken,
      gasFeeTokenAmount: quote.gas.gasFeeTokenAmount,
      gasFeeTokenAmountUSD: quote.gas.gasFeeTokenAmountUsd,
      maxGasFeeNative: quote.gas.maxGasFeeNative
    },
    estimatedCollectedFee: {
      collectedFeeToken: quote.collectedFee.token,
      collectedFee: quote.collectedFee.amount,
      collectedFeePercent: quote.collectedFee.percent,
      serviceCollectedFee: quote.collectedFee.serviceAmount,
      serviceCollectedFeePercent: quote.collectedFee.servicePercent
    },
    amountInUSD: quote.amountInUsd,
    amountOutUSD: quote.amountOutUsd,
    tokenInPrice: quote.tokenInPriceUsd,
    swapProvider: quote.provider,
    expiresAt: Math.floor(DateTime.toEpochMillis(quote.expiresAt) / 1000),
    fees: quote.fees,
    ...(typedData === undefined ? {} : { typedData }),
    userOperationHash: quote.quoteId,
    quoteId: quote.quoteId,
    ...(authorization === undefined ? {} : { authorization }),
    walletAddress: quote.walletAddress,
    toAddress: quote.toAddress,
    signData: quote.signData,
    preview: quote.preview,
    candidates
  }
}

export const quotesBody = ({ candidates, quotes }: SwapQuotes) => ({
  quotes: quotes.map((quote) => quoteBody(quote, candidates))
})
