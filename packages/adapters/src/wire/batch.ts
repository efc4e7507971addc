import type { BatchElement, BatchQuote, SwapElement, TransferElement } from "@countersign/core/batch"
import { decimalFromPrice, pricesOf, type Token, tokenKey, usdValueOrNull } from "@countersign/core/tokens"
import { DateTime, Schema } from "effect"
import { amountText, feeBody } from "./amounts.ts"
import { amongTokens, GasEstimateBody, gasBody, PreviewBody, previewBody, signingOf } from "./prepared.ts"
import { AuthorizationBody, FeeBody, MetadataBody, RevertReasonBody, SignDataBody } from "./resources.ts"
import { SwapQuoteBody } from "./swap.ts"

const BatchTransferBody = Schema.Struct({
  token: Schema.String,
  amount: Schema.String,
  toAddress: Schema.String,
  fees: Schema.Array(FeeBody)
}).annotate({ identifier: "BatchTransferResult" })

export const BatchResponse = Schema.Struct({
  userOperationHash: Schema.String,
  quoteId: Schema.String,
  revertReason: Schema.optionalKey(RevertReasonBody),
  authorization: Schema.optionalKey(AuthorizationBody),
  expiresAt: Schema.String,
  operations: Schema.Array(
    Schema.Union([Schema.Struct({ swap: SwapQuoteBody }), Schema.Struct({ transfer: BatchTransferBody })])
  ).annotate({ description: "The result of each element, at its index in the request" }),
  signData: Schema.Array(SignDataBody),
  fees: Schema.Array(FeeBody),
  estimatedGasFees: GasEstimateBody.annotate({ description: "Of the whole batch, which pays its gas once" }),
  preview: PreviewBody,
  metadata: MetadataBody
}).annotate({ identifier: "Batch" })

const tokensOf = (element: BatchElement): ReadonlyArray<Token> =>
  element.type === "transfer" ? [element.token] : [element.tokenIn, element.tokenOut]

const transferBody = (element: TransferElement) => ({
  token: element.token.address,
  amount: amountText(element.split.net, element.token),
  toAddress: element.toAddress,
  fees: []
})

/** A swap of a batch as a quote of its own; what is signed, and the gas, are the batch's. */
const swapBody = ({ content, quote }: BatchQuote, element: SwapElement) => {
  const { collectors, request } = content
  const { tokenIn, tokenOut } = element
  const prices = pricesOf(content.prices)
  const priceIn = prices.get(tokenKey(tokenIn))
  const find = amongTokens([tokenIn, tokenOut, content.payGasFeeToken])
  const { authorization, quoteId, revertReason, userOperationHash } = signingOf(quote)
  return {
    metadata: quote.metadata,
    ...revertReason,
    tokenIn: tokenIn.address,
    tokenOut: tokenOut.address,
    amountIn: amountText(element.amount, tokenIn),
    minAmountOut: amountText(element.minAmountOut, tokenOut),
    amountOut: amountText(element.amountOut, tokenOut),
    chainIn: request.chainId,
    chainOut: request.chainId,
    estimatedExecutionTime: DateTime.formatIso(content.estimatedExecutionTime),
    estimatedGasFees: gasBody(content.gas, content.payGasFeeToken, prices),
    estimatedCollectedFee: {
      collectedFeeToken: tokenIn.address,
      collectedFee: amountText(element.split.treasuryFee, tokenIn),
      collectedFeePercent: String(collectors.treasury === null ? 0 : element.transactionFeePercent),
      serviceCollectedFee: amountText(element.split.operatorFee, tokenIn),
      serviceCollectedFeePercent: String(collectors.operatorTreasury === null ? 0 : collectors.operatorSharePercent)
    },
    amountInUSD: usdValueOrNull(element.amount, tokenIn, priceIn),
    amountOutUSD: usdValueOrNull(element.amountOut, tokenOut, prices.get(tokenKey(tokenOut))),
    tokenInPrice: priceIn === undefined ? null : decimalFromPrice(priceIn),
    swapProvider: element.provider,
    expiresAt: Math.floor(DateTime.toEpochMillis(quote.expiresAt) / 1000),
    fees: element.fees.map((fee) => feeBody(fee, find)),
    userOperationHash,
    quoteId,
    ...authorization,
    walletAddress: request.walletAddress,
    toAddress: element.toAddress,
    signData: [],
    preview: previewBody(element.calls, content.assetChanges, find),
    candidates: []
  }
}

export const batchBody = (batch: BatchQuote) => {
  const { content, quote } = batch
  const { authorization, quoteId, revertReason, signData, userOperationHash } = signingOf(quote)
  const find = amongTokens([content.payGasFeeToken, ...content.elements.flatMap(tokensOf)])
  return {
    userOperationHash,
    quoteId,
    ...revertReason,
    ...authorization,
    expiresAt: DateTime.formatIso(quote.expiresAt),
    operations: content.elements.map((element) =>
      element.type === "swap" ? { swap: swapBody(batch, element) } : { transfer: transferBody(element) }
    ),
    signData,
    fees: content.fees.map((fee) => feeBody(fee, find)),
    estimatedGasFees: gasBody(content.gas, content.payGasFeeToken, pricesOf(content.prices)),
    preview: previewBody(content.calls, content.assetChanges, find),
    metadata: quote.metadata
  }
}
