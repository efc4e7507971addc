import { BitcoinBroadcasts, BitcoinPayments } from "@countersign/core/bitcoin/payments"
import { Effect, Schema } from "effect"
import { BroadcastBody, BroadcastResponse, BumpBody, bitcoinTransferBody, TransferResponse } from "../wire/index.ts"
import { acceptanceErrors } from "./acceptance.ts"
import { endpoint } from "./Endpoint.ts"
import { HASH, SIGNED_TRANSACTION, UUID } from "./exampleValues.ts"

const broadcast = endpoint({
  id: "bitcoin.broadcast",
  method: "POST",
  path: "/api/v1/crypto/bitcoin/broadcast",
  summary: "Broadcast a Bitcoin transaction",
  description:
    "Accepts a Bitcoin quote with its signed transaction, broadcasts the transaction and records it in the wallet's history. The " +
    "transaction's inputs, outputs, sequence numbers, lock time and version must be those of the quote. A repeated request returns the same response; a " +
    "different signed version of the transaction is rejected. If a node temporarily rejects the transaction, the broadcast is " +
    "retried until the quote expires.",
  payload: BroadcastBody,
  success: BroadcastResponse,
  errors: [
    "EXPIRED_BITCOIN_QUOTE",
    "BITCOIN_QUOTE_NOT_FOUND",
    "FAILED_TO_BROADCAST_TRANSACTION_EXCEPTION",
    ...acceptanceErrors
  ],
  scope: "execute",
  cost: "read",
  example: { body: { quoteId: HASH, signedTransactionHex: SIGNED_TRANSACTION } },
  run: ({ payload: { quoteId, signedTransactionHex }, project }) =>
    Effect.map(
      BitcoinBroadcasts.use((broadcasts) => broadcasts.broadcast(project.id, quoteId, signedTransactionHex)),
      ({ transactionId, txid }) => ({ quoteId, transactionHash: txid, transactionId })
    )
})

const replacementErrors = [
  "TRANSACTION_NOT_FOUND",
  "TRANSACTION_IN_BLOCK",
  "NOT_AUTHORIZED_TOKENS",
  "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
  "UPSTREAM_UNAVAILABLE"
] as const

const transactionPath = {
  transactionId: Schema.String.annotate({ description: "`id` of the payment in the wallet's history" })
}

const bump = endpoint({
  id: "bitcoin.bump",
  method: "POST",
  path: "/api/v1/crypto/bitcoin/:transactionId/bump",
  summary: "Speed up a Bitcoin payment",
  description:
    "Returns a quote for a replacement of a pending payment (BIP-125). The replacement pays the same receivers and a higher fee, which reduces the " +
    "change. Sign and broadcast it like any other Bitcoin quote. Only one of the two payments is mined; the other one ends as " +
    "CANCELLED. For a pending received payment, returns a child transaction that pays the fee for both (CPFP).",
  params: transactionPath,
  payload: BumpBody,
  success: TransferResponse,
  responses: "transfer",
  errors: replacementErrors,
  scope: "quote",
  cost: "quote",
  weightOf: () => 1,
  example: { body: { feeRate: 12.5 }, parameters: { transactionId: UUID } },
  run: ({ params: { transactionId }, payload: { feeRate = null }, project }) =>
    Effect.map(
      BitcoinPayments.use((payments) => payments.replace(project, { transactionId, kind: "BUMP", feeRate })),
      (paymentQuote) => ({ transfer: bitcoinTransferBody(paymentQuote) })
    )
})

const cancel = endpoint({
  id: "bitcoin.cancel",
  method: "POST",
  path: "/api/v1/crypto/bitcoin/:transactionId/cancel",
  summary: "Cancel a Bitcoin payment",
  description:
    "Returns a quote for a transaction that replaces a pending payment (BIP-125) and returns its inputs to the wallet, minus a higher fee. The " +
    "payment is cancelled only once the replacement is signed, broadcast and mined. If the original payment is mined first, it can no longer be cancelled.",
  params: transactionPath,
  payload: BumpBody,
  success: TransferResponse,
  responses: "transfer",
  errors: replacementErrors,
  scope: "quote",
  cost: "quote",
  weightOf: () => 1,
  example: { body: {}, parameters: { transactionId: UUID } },
  run: ({ params: { transactionId }, payload: { feeRate = null }, project }) =>
    Effect.map(
      BitcoinPayments.use((payments) => payments.replace(project, { transactionId, kind: "CANCEL", feeRate })),
      (paymentQuote) => ({ transfer: bitcoinTransferBody(paymentQuote) })
    )
})

export const bitcoin = { broadcast, bump, cancel }
