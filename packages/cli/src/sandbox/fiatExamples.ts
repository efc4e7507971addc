import { answerOf, endpoints } from "@countersign/adapters/api/endpoints"
import { DEMO_INDIVIDUAL } from "@countersign/adapters/sandbox"
import type { Address } from "@countersign/core/foundation/primitives"
import type { Project } from "@countersign/core/tenancy/projects"
import type { Examples } from "@countersign/http"
import { Effect } from "effect"

const quoteDeposit = answerOf(endpoints.fiat.quoteDeposit)
const quoteWithdrawal = answerOf(endpoints.fiat.quoteWithdrawal)
const deposit = answerOf(endpoints.fiat.deposit)

/** Quotes that no order was made of yet, which expire in minutes as all of the bank's do, and an order. */
export const fiatExamples = Effect.fnUntraced(function* (project: Project, walletAddress: Address) {
  const asked = {
    paymentMethod: { type: "PIX" },
    chainId: 1,
    walletAddress,
    individualId: DEMO_INDIVIDUAL
  } as const
  const bought = { ...asked, from: { currency: "BRL", amount: "541" }, to: { currency: "USDC" } }
  const sold = { ...asked, from: { currency: "USDC", amount: "100" }, to: { currency: "BRL" } }
  const { quoteId } = yield* quoteDeposit(project, { payload: bought })
  const { id } = yield* deposit(project, { payload: { quoteId } })
  const unused = yield* quoteDeposit(project, { payload: bought })
  const withdrawal = yield* quoteWithdrawal(project, { payload: sold })
  const examples: Examples = {
    "fiat.deposit": { body: { quoteId: unused.quoteId } },
    "fiat.withdraw": { body: { quoteId: withdrawal.quoteId } },
    "fiat.order": { parameters: { orderId: id } }
  }
  return examples
})
