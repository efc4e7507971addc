import { Schema } from "effect"
import { type PlannedStage, type Quote, quoteKind } from "../../operations/quotes/index.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { detailsOfOrder } from "./fiatDetails.ts"
import { bankMovement, tokenMovement } from "./fiatMovements.ts"

export const FIAT_DEPOSIT = "fiat-deposit"
/** Asks the provider to take the token of a withdrawal and to pay. */
export const FIAT_SUBMISSION = "fiat-submission"
export const FIAT_PAYOUT = "fiat-payout"

const depositKind = quoteKind("FIAT_DEPOSIT", Schema.Struct({ orderId: Schema.String }))

const stages: ReadonlyArray<PlannedStage> = [
  { name: FIAT_DEPOSIT, intent: null, status: "PROCESSING" },
  { name: "finality", intent: null, status: "COMPLETED" }
]

/** From the bank's money until the token is there, mostly. */
const DEPOSIT_MS = 30 * 60_000

/** What is executed for a deposit: nothing to sign, and a stage that waits for the bank. */
export const quoteOfDeposit = (order: FiatOrder): Quote => {
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
      details: detailsOfOrder(order)
    },
    revertReason: null,
    metadata: {},
    createdAt: order.createdAt,
    expiresAt: order.expiresAt,
    executionMs: DEPOSIT_MS
  }
}
