import { DateTime, Effect, Option } from "effect"
import { HistoryStore, type Transaction } from "../../accounting/history/index.ts"
import { BadRequest } from "../../foundation/errors/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { type Execution, ExecutionStore, stageOf } from "../../operations/executions/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { FiatOrderNotFound } from "../errors.ts"
import { FIAT_PAYOUT, FIAT_SUBMISSION } from "./depositQuote.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { FiatOrderStore, type StoredFiatOrder } from "./FiatOrderStore.ts"
import { orderChanges } from "./OrderChanges.ts"
import { resolutionsAt, resolvedOrder, transitionOrder, withRemainingAllowance } from "./orderMove.ts"
import type { FiatOrderState } from "./orderStates.ts"

/**
 * Minutes from the order's expiry until an unsigned withdrawal ends. A request that submits the signature before the
 * expiry may still be running until then.
 */
const UNSIGNED_MINUTES = 5
const UNSIGNED_PER_BATCH = 100

/** Explains why the order does not allow an operator's decision. */
const resolutionProblem = (order: FiatOrder, now: DateTime.Utc): string => {
  const { quote, state } = order
  const allowedResolutions = resolutionsAt(order, now)
  return allowedResolutions.length === 0
    ? `The order is ${state}. Only an order that is IN_REVIEW, or pending and unchanged for a day, can be resolved.`
    : `Expected one of ${allowedResolutions.join(", ")} for a ${quote.direction.toLowerCase()} that is ${state}.`
}

/**
 * Returns the order after a decision. Before the payout stage, the token was not collected, so an allowance may remain.
 */
const orderAfterResolution = (order: FiatOrder, execution: Execution | null): FiatOrder =>
  execution !== null && stageOf(execution).name === FIAT_PAYOUT ? order : withRemainingAllowance(order)

/**
 * Returns the final state of a withdrawal that was not signed or whose operation failed. Null if its operation was
 * executed or is pending.
 */
const endOfUnsigned = (execution: Execution | null, transaction: Transaction | null): FiatOrderState | null => {
  if (execution === null) return "EXPIRED"
  return transaction?.status === "FAILED" ? "FAILED" : null
}

/** Whether the operation of a withdrawal, which pays or approves the provider, may still be included. */
const isOperationPending = ({ quote, state }: FiatOrder, execution: Execution | null): boolean =>
  quote.direction === "WITHDRAWAL" &&
  state !== "IN_REVIEW" &&
  execution !== null &&
  ![FIAT_SUBMISSION, FIAT_PAYOUT].includes(stageOf(execution).name)

/** Ends orders for which no provider report is expected. */
export const orderEnds = Effect.gen(function* () {
  const store = yield* FiatOrderStore
  const executions = yield* ExecutionStore
  const history = yield* HistoryStore
  const unitOfWork = yield* UnitOfWork
  const change = yield* orderChanges

  const executionOf = ({ executedQuote, quote: { projectId } }: FiatOrder) =>
    Effect.map(executions.findByQuote(projectId, executedQuote), Option.getOrNull)

  const endUnsignedOrder = Effect.fnUntraced(function* (storedOrder: StoredFiatOrder, now: DateTime.Utc) {
    const { order } = storedOrder
    const execution = yield* executionOf(order)
    const transaction = execution === null ? Option.none() : yield* history.find(order.quote.projectId, execution.id)
    const state = endOfUnsigned(execution, Option.getOrNull(transaction))
    return state !== null && (yield* unitOfWork.run(change(storedOrder, transitionOrder(order, state, now))))
  })

  return {
    /**
     * Returns the id of the order's transaction. Null before the order has one. Also returns the id if the execution
     * was archived and its month is no longer in the database.
     */
    transactionIdOf: Effect.fnUntraced(function* (order: FiatOrder) {
      const execution = yield* executionOf(order)
      if (execution !== null) return execution.id
      const { executedQuote, quote } = order
      const archivedExecution = Option.getOrNull(yield* executions.findArchived(executedQuote))
      return archivedExecution?.projectId === quote.projectId ? archivedExecution.id : null
    }),
    resolve: Effect.fn("FiatOrders.resolve")(function* (
      projectId: ProjectId,
      orderId: string,
      { reason, status }: { readonly status: FiatOrderState; readonly reason: string }
    ) {
      // A provider's report may change the order between the read and the write.
      for (;;) {
        const storedOrder = Option.getOrNull(yield* store.find(projectId, orderId))
        if (storedOrder === null) return yield* new FiatOrderNotFound({ orderId })
        const { order } = storedOrder
        if (order.resolution?.state === status) return order
        const now = yield* DateTime.now
        const orderAfter = resolvedOrder(order, status, reason, now)
        if (orderAfter === order) return yield* BadRequest.of("status", "not_allowed", resolutionProblem(order, now))
        const execution = yield* executionOf(order)
        if (isOperationPending(order, execution))
          return yield* BadRequest.of(
            "status",
            "not_allowed",
            "The user operation is still pending and may lead to a payout. Wait until it is included or fails."
          )
        const finalOrder = orderAfterResolution(orderAfter, execution)
        if (!(yield* unitOfWork.run(change(storedOrder, finalOrder)))) continue
        yield* executions.wakeQuote(projectId, order.executedQuote, now)
        return finalOrder
      }
    }),
    endUnsigned: Effect.gen(function* () {
      const now = yield* DateTime.now
      const unsignedOrders = yield* store.listUnsigned(
        DateTime.subtract(now, { minutes: UNSIGNED_MINUTES }),
        UNSIGNED_PER_BATCH
      )
      const endResults = yield* Effect.forEach(unsignedOrders, (storedOrder) => endUnsignedOrder(storedOrder, now))
      return endResults.filter(Boolean).length
    })
  }
})
