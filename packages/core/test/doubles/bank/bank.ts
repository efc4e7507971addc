import { DateTime, Effect, Schema } from "effect"
import { detailsKind, type Movement } from "../../../src/accounting/history/index.ts"
import { type Hash32, NATIVE_TOKEN, type WalletAddress } from "../../../src/foundation/primitives/index.ts"
import type { Stage, Step } from "../../../src/operations/executions/index.ts"
import type { Quote } from "../../../src/operations/quotes/index.ts"
import type { ProjectId } from "../../../src/tenancy/projects/index.ts"

/** A bank that receives quotes, and payments for some of them. */
export interface Bank {
  /** Received amounts by quote id, in base units of the currency. */
  readonly received: Map<string, bigint>
}

export const BANK = "bank"
const POLL_EVERY_MS = 1_000

/** Details of a transaction with a deposit at a bank. */
export const bankDetails = detailsKind("bank", Schema.Struct({ memo: Schema.String }))

interface BankDeposit {
  readonly id: Hash32
  readonly projectId: ProjectId
  readonly walletAddress: WalletAddress
  readonly currency: string
  /** Amount in base units of the currency. */
  readonly amount: bigint
  readonly now: DateTime.Utc
}

const movementsOf = (
  { walletAddress }: Pick<Quote, "walletAddress">,
  currency: string,
  amount: bigint
): ReadonlyArray<Movement> => {
  const commonFields = {
    role: "PRINCIPAL",
    account: walletAddress,
    usd: null,
    counterparty: "The bank",
    leg: null
  } as const
  return [
    { ...commonFields, direction: "OUT", asset: { currency }, amount },
    { ...commonFields, direction: "IN", asset: { chainId: 1, token: NATIVE_TOKEN }, amount: amount * 10n ** 12n }
  ]
}

/**
 * Creates a quote that requires no signature: the bank receives a payment, and then pays out. Its fee is 1.5 units of
 * the currency.
 */
export const bankQuote = ({ amount, currency, id, now, projectId, walletAddress }: BankDeposit): Quote => ({
  id,
  projectId,
  walletAddress,
  kind: "BANK_DEPOSIT",
  content: null,
  prices: {},
  intents: [],
  uses: [],
  stages: [{ name: BANK, intent: null, status: "PROCESSING" }],
  transaction: {
    type: "FIAT_DEPOSIT",
    chainIdIn: null,
    chainIdOut: 1,
    expected: movementsOf({ walletAddress }, currency, amount),
    legs: [],
    fees: [{ type: "PROVIDER", currency, amount: 150n, toAddress: null, percentage: null }],
    subject: null,
    details: bankDetails.of({ memo: id.slice(2, 10) })
  },
  revertReason: null,
  metadata: {},
  createdAt: now,
  expiresAt: DateTime.add(now, { minutes: 5 }),
  executionMs: 3_600_000
})

/** Creates a stage that waits until the bank has received the payment. */
export const bankStage = (bank: Bank): Stage => ({
  name: BANK,
  waitsFor: "BANK",
  awaited: "the payment at the bank",
  normalMs: null,
  patienceMs: null,
  step: Effect.fn("BankStage.step")(function* ({ quote }) {
    const receivedAmount = bank.received.get(quote.id)
    if (receivedAmount === undefined) return { _tag: "Wait", afterMs: POLL_EVERY_MS } satisfies Step
    const now = yield* DateTime.now
    const { asset } = quote.transaction.expected[0]!
    const currency = "currency" in asset ? asset.currency : ""
    return {
      _tag: "Next",
      change: (before) => ({
        ...before,
        movements: movementsOf(quote, currency, receivedAmount),
        substatus: "PAID",
        executedAt: now
      })
    } satisfies Step
  })
})
