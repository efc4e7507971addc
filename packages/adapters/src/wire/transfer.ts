import { pricesOf } from "@countersign/core/tokens"
import type { TransferQuote } from "@countersign/core/transfer"
import { DateTime, Schema } from "effect"
import { feeBody } from "./amounts.ts"
import { amongTokens, GasEstimateBody, gasBody, PreviewBody, previewBody, signingOf } from "./prepared.ts"
import { AuthorizationBody, FeeBody, MetadataBody, RevertReasonBody, SignDataBody } from "./resources.ts"

export const TransferBody = Schema.Struct({
  quoteId: Schema.String,
  userOperationHash: Schema.String,
  revertReason: Schema.optionalKey(RevertReasonBody),
  authorization: Schema.optionalKey(AuthorizationBody),
  walletAddress: Schema.String,
  toAddress: Schema.String,
  chainId: Schema.Finite,
  token: Schema.String,
  amount: Schema.String,
  fees: Schema.Array(FeeBody),
  estimatedGasFees: GasEstimateBody,
  estimatedExecutionTime: Schema.String,
  expiresAt: Schema.String,
  signData: Schema.Array(SignDataBody),
  preview: PreviewBody,
  metadata: MetadataBody
}).annotate({ identifier: "Transfer" })

export const TransferResponse = Schema.Struct({ transfer: TransferBody })

export const transferBody = ({ content, quote }: TransferQuote) => {
  const { request, tokens } = content
  const { authorization, quoteId, revertReason, signData, userOperationHash } = signingOf(quote)
  const find = amongTokens([tokens.token, tokens.payGasFeeToken])
  return {
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
    preview: previewBody(content.calls, content.assetChanges, find),
    metadata: quote.metadata
  }
}
