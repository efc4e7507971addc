import { Effect, Option } from "effect"
import { HistoryStore, TransactionNotFound } from "../../accounting/history/index.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import type { Project } from "../../tenancy/projects/index.ts"
import { depositAcceleration } from "./depositAcceleration.ts"
import { paymentReplacements } from "./paymentReplacements.ts"
import type { ReplaceRequest } from "./replacement.ts"

/** Quotes the replacement of a pending payment, or the acceleration of a pending deposit. */
export const replacements = Effect.gen(function* () {
  const executions = yield* ExecutionStore
  const history = yield* HistoryStore
  const replacePayment = yield* paymentReplacements
  const accelerateDeposit = yield* depositAcceleration

  return Effect.fn("BitcoinPayments.replace")(function* (project: Project, request: ReplaceRequest) {
    const { transactionId } = request
    const transaction = Option.getOrNull(yield* history.find(project.id, transactionId))
    if (transaction === null) return yield* new TransactionNotFound({ transactionId })
    const execution = Option.getOrNull(yield* executions.find(project.id, transactionId))
    return execution === null
      ? yield* accelerateDeposit(project, request, transaction)
      : yield* replacePayment(project, request, transaction, execution)
  })
})
