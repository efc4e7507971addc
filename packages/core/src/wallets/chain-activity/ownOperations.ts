import { DateTime, Effect, Option } from "effect"
import { finalStatuses, HistoryStore } from "../../accounting/history/index.ts"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Hash32 } from "../../foundation/primitives/index.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { QuoteStore } from "../../operations/quotes/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/**
 * Maximum clock difference between two processes, in seconds. A process whose clock is behind may accept a quote shortly
 * after its expiry.
 */
const LATE_SECONDS = 60

/**
 * The state of a user operation in a transaction. Recorded: the history of `projectId` contains it. Pending: a project
 * is executing it, or can still execute it. Foreign: no project has executed it or can execute it.
 */
export type OwnOperation =
  | { readonly _tag: "Recorded"; readonly projectId: ProjectId }
  | { readonly _tag: "Pending" }
  | { readonly _tag: "Foreign" }

const foreignOperation: OwnOperation = { _tag: "Foreign" }
const pendingOperation: OwnOperation = { _tag: "Pending" }

/** Looks up a user operation of a transaction in the histories and the pending executions. */
export const ownOperations = Effect.gen(function* () {
  const quotes = yield* QuoteStore
  const executions = yield* ExecutionStore
  const history = yield* HistoryStore

  /**
   * Returns the execution of an operation. `NOT_ACCEPTED` if its quote was not accepted, but still can be. Null if the
   * quote can no longer be accepted, or if the operation has neither a quote nor an archived execution.
   */
  const executionOf = Effect.fnUntraced(function* (operation: Hash32) {
    const quote = Option.getOrNull(yield* quotes.findByOperationInAnyProject(operation))
    if (quote === null) return Option.getOrNull(yield* executions.findArchived(operation))
    const { expiresAt, id, projectId } = quote
    const execution = yield* executions.findByQuote(projectId, id)
    if (Option.isSome(execution)) return execution.value
    const isLate = DateTime.isGreaterThan(yield* DateTime.now, DateTime.add(expiresAt, { seconds: LATE_SECONDS }))
    return isLate ? null : "NOT_ACCEPTED"
  })

  return Effect.fnUntraced(function* (chainId: EvmChainId, transactionHash: Hash32, operation: Hash32) {
    const execution = yield* executionOf(operation)
    if (execution === null) return foreignOperation
    if (execution === "NOT_ACCEPTED") return pendingOperation
    const { id, projectId } = execution
    const transaction = Option.getOrNull(yield* history.find(projectId, id))
    if (transaction === null) return pendingOperation
    const isRecorded = transaction.legs.some((leg) => leg.chainId === chainId && leg.hash === transactionHash)
    if (isRecorded) return { _tag: "Recorded", projectId } satisfies OwnOperation
    return finalStatuses.has(transaction.status) ? foreignOperation : pendingOperation
  })
})
