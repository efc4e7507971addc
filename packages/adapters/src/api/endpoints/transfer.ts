import { BitcoinPaymentRequest, BitcoinPayments } from "@countersign/core/bitcoin/payments"
import { requireNoProblem, requireValid } from "@countersign/core/foundation/errors"
import type { Project } from "@countersign/core/tenancy/projects"
import { TransferRequest, Transfers } from "@countersign/core/trading/transfer"
import { Effect } from "effect"
import { bitcoinTransferBody, TransferPayload, TransferResponse, transferBody } from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"
import { gas, RECEIVER, USDC, WALLET } from "./exampleValues.ts"
import { quoteLinks } from "./links.ts"

const requireBitcoinPayment = requireValid(BitcoinPaymentRequest)
const requireTransfer = requireValid(TransferRequest)

const bitcoinFields = ["furtherReceivers", "feePriority", "feeRate", "spendUnconfirmedChange"] as const

/** Rejects the fields that only Bitcoin transfers have. */
const requireNoBitcoinFields = (payload: TransferPayload) =>
  requireNoProblem(
    bitcoinFields.map((path) =>
      payload[path] === undefined || payload[path] === false
        ? null
        : { path, code: "bitcoin_only", message: "Only Bitcoin transfers (`chainId` 0) have this field. Omit it." }
    )
  )

const requestQuote = Effect.fnUntraced(function* (project: Project, payload: TransferPayload) {
  if (payload.chainId === 0)
    return bitcoinTransferBody(yield* (yield* BitcoinPayments).quote(project, yield* requireBitcoinPayment(payload)))
  yield* requireNoBitcoinFields(payload)
  return transferBody(yield* (yield* Transfers).quote(project, yield* requireTransfer(payload)))
})

const quote = endpoint({
  id: "transfer.quote",
  method: "POST",
  path: "/api/v1/crypto/transfer",
  summary: "Quote a transfer",
  description:
    "Returns a quote for a transfer of a listed token or of the native token, with gas paid in any accepted token. The receiver " +
    "gets `amount` minus the transaction fee and the extra fee, and with DEDUCT_FROM_AMOUNT also minus the gas fee. Sign every element of `signData`, then execute " +
    "by `quoteId`.",
  payload: TransferPayload,
  success: TransferResponse,
  responses: "transfer",
  errors: [
    "NOT_AUTHORIZED_TOKENS",
    "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT",
    "UPSTREAM_UNAVAILABLE",
    "UNPAID_GAS_LIMIT"
  ],
  scope: "quote",
  cost: "quote",
  weightOf: () => 1,
  example: {
    body: { walletAddress: WALLET, chainId: 1, token: USDC, amount: "25", toAddress: RECEIVER, ...gas }
  },
  links: quoteLinks("/transfer"),
  run: ({ payload, project }) => Effect.map(requestQuote(project, payload), (transfer) => ({ transfer }))
})

export const transfer = { quote }
