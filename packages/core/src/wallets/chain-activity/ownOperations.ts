import { DateTime, Effect, Option } from "effect"
import { endings, HistoryStore } from "../../accounting/history/index.ts"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { QuoteStore } from "../../operations/quotes/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/** The clock difference of two processes. A process with a slow clock may accept a quote shortly after its expiry. */
const LATE_SECONDS = 60

/**
 * The state of a user operation in a transaction, from the view of a project's history. FOREIGN: no project has
 * executed the operation or can execute it, so only the chain reports it.
 */
export type OwnOperation =
  | { readonly _tag: "Recorded"; readonly projectId: ProjectId }
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Foreign" }

const foreign: OwnOperation = { _tag: "Foreign" }
const pending: OwnOperation = { _tag: "Pending" }

/** Finds a user operation of a transaction in the histories and the pending executions. */
export const ownOperations = Effect.gen(function* () {
  const quotes = yield* QuoteStore
  const executions = yield* ExecutionStore
  const history = yield* HistoryStore

  /** Null if there is no quote of the operation, or if it has not been accepted and can't be. */
  const executionOf = Effect.fnUntraced(function* (operation: Hash32) {
    const quote = Option.getOrNull(yield* quotes.findByOperationOfAny(operation))
    if (quote === null) return Option.getOrNull(yield* executions.archivedOf(operation))
    const { expiresAt, id, projectId } = quote
    const execution = yield* executions.findByQuote(projectId, id)
    if (Option.isSome(execution)) return execution.value
    const isLate = DateTime.isGreaterThan(yield* DateTime.now, DateTime.add(expiresAt, { seconds: LATE_SECONDS }))
    return isLate ? null : "NOT_ACCEPTED"
  })

  return Effect.fnUntraced(function* (chainId: EvmChainId, transactionHash: Hash32, operation: Hash32) {
    const execution = yield* executionOf(operation)
    if (execution === null) return foreign
    if (execution === "NOT_ACCEPTED") return pending
    const { id, projectId } = execution
    const transaction = Option.getOrNull(yield* history.find(projectId, id))
    if (transaction === null) return pending
    const hasIt = transaction.legs.some((leg) => leg.chainId === chainId && leg.hash === transactionHash)
    if (hasIt) return { _tag: "Recorded", projectId } satisfies OwnOperation
    return endings.has(transaction.status) ? foreign : pending
  })
})
