import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import type { BitcoinPaymentQuote } from "@countersign/core/bitcoin/payments"
import { pricesOf } from "@countersign/core/foundation/tokens"
import type { TransferQuote } from "@countersign/core/trading/transfer"
import { DateTime, Schema } from "effect"
import { amountText, feeBody } from "./amounts.ts"
import { BitcoinPreviewBody, bitcoinPreviewBody } from "./bitcoin.ts"
import { hex, instant, number, text } from "./fields.ts"
import {
  GasEstimateBody,
  gasBody,
  minerFeeBody,
  operationSigningOf,
  PreviewBody,
  previewBody,
  signingOf,
  tokenFinder
} from "./preparedBody.ts"
import { MetadataBody, preparedFields } from "./resources.ts"

export const TransferBody = Schema.Struct({
  type: Schema.Literal("TRANSFER").annotate({
    description: "Type of the quote and of its transaction"
  }),
  ...preparedFields,
  userOperationHash: hex("Hash of the user operation (ERC-4337 `userOpHash`); for Bitcoin the quote id"),
  walletAddress: text("Wallet that sends the token"),
  toAddress: text("Address that receives the token"),
  chainId: number("Id of the chain"),
  token: hex("Token that is sent"),
  amount: text(
    "Requested amount, in token units. The transaction fee and the extra fee are deducted from it, and with `DEDUCT_FROM_AMOUNT` also the maximum gas fee"
  ),
  receivedAmount: text(
    "Amount that the receiver gets, in token units: `amount` minus the deducted fees, and minus the token's transfer fee if it charges one"
  ),
  estimatedGasFees: GasEstimateBody,
  expiresAt: instant("When the quote expires"),
  preview: PreviewBody,
  bitcoin: Schema.optionalKey(BitcoinPreviewBody),
  replaces: Schema.optionalKey(
    Schema.Struct({
      kind: Schema.Literals(["BUMP", "CANCEL", "CHILD"]).annotate({
        description:
          "`BUMP` replaces the earlier payment with a higher fee (BIP-125). `CANCEL` replaces it and returns the amount to the wallet. `CHILD` pays its fee with a child transaction (CPFP)"
      }),
      transactionId: text("Id of the earlier payment in the wallet's history")
    }).annotate({
      identifier: "BitcoinReplacement",
      description: "The earlier payment, and how this payment affects it"
    })
  ),
  metadata: MetadataBody
}).annotate({
  identifier: "TransferQuote",
  description: "A prepared transfer, to be signed and executed before it expires"
})

export const TransferResponse = Schema.Struct({ transfer: TransferBody }).annotate({
  identifier: "TransferAnswer",
  description: "The prepared transfer"
})

export const transferBody = ({ content, quote }: TransferQuote) => {
  const { request, tokens } = content
  const { authorization, quoteId, revertReason, signData, userOperationHash, userOperations } =
    operationSigningOf(quote)
  const find = tokenFinder([tokens.token, tokens.payGasFeeToken])
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
    receivedAmount: amountText(content.arriving ?? content.split.net, tokens.token),
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

export const bitcoinTransferBody = ({ content, quote }: BitcoinPaymentQuote) => {
  const { authorization, quoteId, revertReason, signData, userOperations } = signingOf(quote)
  const { preview, replaces } = content
  const find = tokenFinder([bitcoinToken])
  const receiverOutput = preview.outputs.find(({ role }) => role === "RECEIVER")
  return {
    type: "TRANSFER" as const,
    quoteId,
    userOperationHash: quoteId,
    ...revertReason,
    ...authorization,
    walletAddress: content.walletAddress,
    toAddress: content.toAddress,
    chainId: 0,
    token: bitcoinToken.address,
    amount: amountText(content.amount, bitcoinToken),
    receivedAmount: amountText(receiverOutput?.value ?? 0n, bitcoinToken),
    fees: content.fees.map((fee) => feeBody(fee, find)),
    estimatedGasFees: minerFeeBody(preview.fee, pricesOf(content.prices)),
    estimatedExecutionTime: DateTime.formatIso(content.estimatedExecutionTime),
    expiresAt: DateTime.formatIso(quote.expiresAt),
    signData,
    warnings: content.warnings,
    userOperations,
    preview: previewBody(0, [], content, find),
    bitcoin: bitcoinPreviewBody(preview),
    ...(replaces === null ? {} : { replaces }),
    metadata: quote.metadata
  }
}
