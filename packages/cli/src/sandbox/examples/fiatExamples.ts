import { endpointRunnerOf, endpoints } from "@countersign/adapters/api/endpoints"
import { EXAMPLE_INDIVIDUAL } from "@countersign/adapters/sandbox"
import { FiatLimits } from "@countersign/core/fiat"
import type { Address } from "@countersign/core/foundation/primitives"
import { IndividualId, VerifiedIndividuals } from "@countersign/core/identity"
import type { Project } from "@countersign/core/tenancy/projects"
import type { Examples } from "@countersign/http"
import { DateTime, Effect } from "effect"

const quoteDeposit = endpointRunnerOf(endpoints.fiat.quoteDeposit)
const quoteWithdrawal = endpointRunnerOf(endpoints.fiat.quoteWithdrawal)
const deposit = endpointRunnerOf(endpoints.fiat.deposit)
const orders = endpointRunnerOf(endpoints.fiat.orders)

const individualId = IndividualId.make(EXAMPLE_INDIVIDUAL)

/** Limit in Brazilian reais. All examples of a sandbox together do not reach it. */
const HIGH_LIMIT_BRL = 1_000_000_000_000n
const unreachedLimits = {
  perTransaction: HIGH_LIMIT_BRL,
  daily: HIGH_LIMIT_BRL,
  monthly: HIGH_LIMIT_BRL,
  quarterly: HIGH_LIMIT_BRL
}

/** Prepares the verified individual of the examples, with limits that the examples never reach. */
const prepareIndividual = Effect.fnUntraced(function* ({ id: projectId }: Project) {
  yield* (yield* VerifiedIndividuals).verify(projectId, { id: individualId, verifiedAt: yield* DateTime.now })
  const limits = yield* FiatLimits
  for (const direction of ["DEPOSIT", "WITHDRAWAL"] as const)
    yield* limits.override({ projectId, individualId, direction, method: "PIX" }, unreachedLimits)
})

/**
 * Prepares a deposit order, reused if one exists, and new quotes, because a provider's quotes expire within minutes.
 */
export const fiatExamples = Effect.fnUntraced(function* (project: Project, walletAddress: Address) {
  yield* prepareIndividual(project)
  const commonFields = { paymentMethod: { type: "PIX" }, chainId: 1, walletAddress, individualId } as const
  const depositRequest = { ...commonFields, from: { currency: "BRL", amount: "541" }, to: { currency: "USDC" } }
  const withdrawalRequest = { ...commonFields, from: { currency: "USDC", amount: "100" }, to: { currency: "BRL" } }
  const existingOrder = (yield* orders(project, { query: { walletAddress, individualId } })).orders[0]
  const newQuoteId = Effect.map(quoteDeposit(project, { payload: depositRequest }), ({ quoteId }) => quoteId)
  const order = existingOrder ?? (yield* deposit(project, { payload: { quoteId: yield* newQuoteId } }))
  const withdrawalQuote = yield* quoteWithdrawal(project, { payload: withdrawalRequest })
  const examples: Examples = {
    "fiat.deposit": { body: { quoteId: yield* newQuoteId } },
    "fiat.withdraw": { body: { quoteId: withdrawalQuote.quoteId } },
    "fiat.order": { parameters: { orderId: order.id } }
  }
  return examples
})
