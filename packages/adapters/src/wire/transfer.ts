import { pricesOf } from "@countersign/core/tokens"
import type { TransferQuote } from "@countersign/core/transfer"
import { DateTime, Schema } from "effect"
import { feeBody } from "./amounts.ts"
import { hex, instant, number, text } from "./fields.ts"
import { amongTokens, GasEstimateBody, gasBody, operationSigningOf, PreviewBody, previewBody } from "./prepared.ts"
import { MetadataBody, preparedFields } from "./resources.ts"

export const TransferBody = Schema.Struct({
  type: Schema.Literal("TRANSFER").annotate({
    description: "Kind of the quote, and of the transaction that it becomes"
  }),
  ...preparedFields,
  walletAddress: text("Wallet that sends"),
  toAddress: text("Address that receives the token"),
  chainId: number("Id of the chain"),
  token: hex("Token that is sent"),
  amount: text("Amount in whole tokens, as asked for. The receiver gets it less the fees"),
  estimatedGasFees: GasEstimateBody,
  expiresAt: instant("When the quote expires"),
  preview: PreviewBody,
  metadata: MetadataBody
}).annotate({ identifier: "Transfer", description: "A prepared transfer, to be signed and executed before it expires" })

export const TransferResponse = Schema.Struct({ transfer: TransferBody }).annotate({
  identifier: "TransferQuote",
  description: "The prepared transfer"
})

export const transferBody = ({ content, quote }: TransferQuote) => {
  const { request, tokens } = content
  const { authorization, quoteId, revertReason, signData, userOperationHash, userOperations } =
    operationSigningOf(quote)
  const find = amongTokens([tokens.token, tokens.payGasFeeToken])
  return {
    type: "TRANSFER" as const,
    quoteId,
    userOperationHash,
    ...revertReason,
    ...authorization,
    walletAddress: request.walletAddress,
    toAddress: request.toAddress,
    chainId: request.chainId,
    token: request.token,
    amount: request.amount,
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
