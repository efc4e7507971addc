import { pricesOf, type Token } from "@countersign/core/foundation/tokens"
import type { BatchElement, BatchQuote, SwapElement, TransferElement } from "@countersign/core/trading/batch"
import { DateTime, Schema } from "effect"
import { amountText, feeBody } from "./amounts.ts"
import { hex, instant, text } from "./fields.ts"
import { GasEstimateBody, gasBody, operationSigningOf, PreviewBody, previewBody, tokenFinder } from "./preparedBody.ts"
import { feesField, MetadataBody, preparedFields } from "./resources.ts"
import { SwapQuoteBody } from "./swap.ts"
import { swapBody } from "./swapTranslation.ts"

const BatchTransferBody = Schema.Struct({
  token: hex("Token that is sent"),
  amount: text(
    "Amount that the receiver gets, in token units. It is less than the sent amount if the token charges a transfer fee"
  ),
  toAddress: text("Address that receives the token"),
  fees: feesField
}).annotate({ identifier: "BatchTransferResult", description: "A transfer of the batch" })

const { estimatedExecutionTime: _, ...batchFields } = preparedFields

export const BatchResponse = Schema.Struct({
  type: Schema.Literal("BATCH").annotate({ description: "Type of the quote and of its transaction" }),
  ...batchFields,
  expiresAt: instant("When the quote expires"),
  operations: Schema.Array(
    Schema.Union(
      [
        Schema.Struct({
          type: Schema.Literal("swap").annotate({ description: "A swap" }),
          swap: SwapQuoteBody
        }).annotate({ identifier: "BatchSwapElement", description: "The quote of a swap in the batch" }),
        Schema.Struct({
          type: Schema.Literal("transfer").annotate({ description: "A transfer" }),
          transfer: BatchTransferBody
        }).annotate({ identifier: "BatchTransferElement", description: "The result of a transfer" })
      ],
      { mode: "oneOf" }
    ).annotate({
      identifier: "BatchElement",
      description:
        "The result of one element. In a swap, the gas fees are those of the entire batch, and `signData`, `userOperations`, `warnings` and `candidates` are empty"
    })
  ).annotate({ description: "The result of each element, at its index in the request" }),
  estimatedGasFees: GasEstimateBody.annotateKey({ description: "Gas fee of the entire batch" }),
  preview: PreviewBody,
  metadata: MetadataBody
}).annotate({ identifier: "BatchQuote", description: "A prepared batch, to be signed and executed before it expires" })

const tokensOf = (element: BatchElement): ReadonlyArray<Token> =>
  element.type === "transfer" ? [element.token] : [element.tokenIn, element.tokenOut]

const transferBody = (element: TransferElement) => ({
  token: element.token.address,
  amount: amountText(element.arriving ?? element.split.net, element.token),
  toAddress: element.toAddress,
  fees: []
})

/** Builds a swap of a batch in the format of a quote. The gas fee and the signing data belong to the batch. */
const elementBody = (
  { content, quote }: BatchQuote,
  element: SwapElement,
  signing: ReturnType<typeof operationSigningOf>
) => ({
  ...swapBody({
    ...content,
    ...element,
    quote,
    amountIn: element.amount,
    tokens: { ...element, payGasFeeToken: content.payGasFeeToken },
    chainIdIn: content.request.chainId,
    chainIdOut: content.request.chainId,
    walletAddress: content.request.walletAddress,
    previewSource: content,
    signing
  }),
  signData: [],
  userOperations: [],
  warnings: [],
  candidates: []
})

export const batchBody = (batch: BatchQuote) => {
  const { content, quote } = batch
  const signing = operationSigningOf(quote)
  const { authorization, quoteId, revertReason, signData, userOperationHash, userOperations } = signing
  const find = tokenFinder([content.payGasFeeToken, ...content.elements.flatMap(tokensOf)])
  return {
    type: "BATCH" as const,
    userOperationHash,
    quoteId,
    ...revertReason,
    ...authorization,
    expiresAt: DateTime.formatIso(quote.expiresAt),
    operations: content.elements.map((element) =>
      element.type === "swap"
        ? { type: element.type, swap: elementBody(batch, element, signing) }
        : { type: element.type, transfer: transferBody(element) }
    ),
    signData,
    warnings: content.warnings,
    userOperations,
    fees: content.fees.map((fee) => feeBody(fee, find)),
    estimatedGasFees: gasBody(content.gas, content.payGasFeeToken, pricesOf(content.prices)),
    preview: previewBody(content.request.chainId, content.calls, content, find),
    metadata: quote.metadata
  }
}
