import { Schema } from "effect"
import { type PlannedStage, type Quote, quoteKind } from "../../operations/quotes/index.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { orderDetails } from "./fiatDetails.ts"
import { bankMovement, tokenMovement } from "./fiatMovements.ts"

export const FIAT_DEPOSIT = "fiat-deposit"
/** The stage that requests the provider to collect the token of a withdrawal and to pay out the fiat amount. */
export const FIAT_SUBMISSION = "fiat-submission"
export const FIAT_PAYOUT = "fiat-payout"

const depositKind = quoteKind("FIAT_DEPOSIT", Schema.Struct({ orderId: Schema.String }))

const stages: ReadonlyArray<PlannedStage> = [
  { name: FIAT_DEPOSIT, intent: null, status: "PROCESSING" },
  { name: "finality", intent: null, status: "COMPLETED" }
]

/** Typical time in milliseconds between the fiat payment and the arrival of the token. */
const DEPOSIT_MS = 30 * 60_000

/** Builds the quote that a deposit executes. It requires no signature, and its stage waits for the fiat payment. */
export const depositQuoteOf = (order: FiatOrder): Quote => {
  const { quote } = order
  return {
    id: order.executedQuote,
    projectId: quote.projectId,
    walletAddress: quote.walletAddress,
    kind: depositKind.kind,
    content: depositKind.encode({ orderId: order.id }),
    prices: {},
    intents: [],
    uses: [],
    stages,
    transaction: {
      type: "FIAT_DEPOSIT",
      chainIdIn: null,
      chainIdOut: quote.chainId,
      expected: [
        bankMovement(quote, quote.fiatAmount),
        tokenMovement(quote, "IN", { amount: quote.tokenAmount, counterparty: quote.provider }, null)
      ],
      legs: [],
      fees: quote.fees,
      subject: null,
      details: orderDetails(order)
    },
    revertReason: null,
    metadata: {},
    createdAt: order.createdAt,
    expiresAt: order.expiresAt,
    executionMs: DEPOSIT_MS
  }
}
