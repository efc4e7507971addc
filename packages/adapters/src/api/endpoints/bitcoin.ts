import { BitcoinBroadcasts, BitcoinPayments } from "@countersign/core/bitcoin/payments"
import { Effect, Schema } from "effect"
import { BroadcastBody, BroadcastedBody, BumpBody, bitcoinTransferBody, TransferResponse } from "../wire/index.ts"
import { acceptanceErrors } from "./acceptance.ts"
import { endpoint } from "./Endpoint.ts"
import { HASH, SIGNED_TRANSACTION, UUID } from "./exampleValues.ts"

const broadcast = endpoint({
  id: "bitcoin.broadcast",
  method: "POST",
  path: "/api/v1/crypto/bitcoin/broadcast",
  summary: "Broadcast a Bitcoin transaction",
  description:
    "Accepts a quote of chain 0 with its signed transaction, publishes that, and records it in the wallet's history. It must be " +
    "the quoted one in everything that others could change. The same request again gets the same answer; another signed version " +
    "of it is refused. What a node refuses for now is tried again while the quote lives.",
  payload: BroadcastBody,
  success: BroadcastedBody,
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

const params = { transactionId: Schema.String.annotate({ description: "`id` of the payment in the wallet's history" }) }

const bump = endpoint({
  id: "bitcoin.bump",
  method: "POST",
  path: "/api/v1/crypto/bitcoin/:transactionId/bump",
  summary: "Speed up a Bitcoin payment",
  description:
    "A quote that takes the place of a payment which waits for a block (BIP-125): the same receivers, for a higher fee out of " +
    "the change. Sign and broadcast it as any other. One of both is mined; the other's transaction ends as CANCELLED.",
  params,
  payload: BumpBody,
  success: TransferResponse,
  answers: "transfer",
  errors: replacementErrors,
  scope: "quote",
  cost: "quote",
  effortOf: () => 1,
  example: { body: { feeRate: 12.5 }, parameters: { transactionId: UUID } },
  run: ({ params: { transactionId }, payload: { feeRate = null }, project }) =>
    Effect.map(
      BitcoinPayments.use((payments) => payments.replace(project, { transactionId, kind: "BUMP", feeRate })),
      (quoted) => ({ transfer: bitcoinTransferBody(quoted) })
    )
})

const cancel = endpoint({
  id: "bitcoin.cancel",
  method: "POST",
  path: "/api/v1/crypto/bitcoin/:transactionId/cancel",
  summary: "Take a Bitcoin payment back",
  description:
    "A quote that takes the place of a payment which waits for a block (BIP-125), and pays its coins back to the wallet less a " +
    "higher fee. Nothing is cancelled before it is signed and broadcast, and where the first is mined before.",
  params,
  payload: BumpBody,
  success: TransferResponse,
  answers: "transfer",
  errors: replacementErrors,
  scope: "quote",
  cost: "quote",
  effortOf: () => 1,
  example: { body: {}, parameters: { transactionId: UUID } },
  run: ({ params: { transactionId }, payload: { feeRate = null }, project }) =>
    Effect.map(
      BitcoinPayments.use((payments) => payments.replace(project, { transactionId, kind: "CANCEL", feeRate })),
      (quoted) => ({ transfer: bitcoinTransferBody(quoted) })
    )
})

export const bitcoin = { broadcast, bump, cancel }
