import { DateTime, Effect } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Step, Work } from "../../operations/executions/index.ts"
import type { FiatProvider, FiatReport } from "../provider/FiatProvider.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { FiatOrderStore, type StoredFiatOrder } from "./FiatOrderStore.ts"
import { orderChanges } from "./OrderChanges.ts"
import { orderAfter } from "./orderAfterReport.ts"
import { transitionOrder, withRemainingAllowance } from "./orderMove.ts"
import { isOver } from "./orderStates.ts"
import {
  changeStep,
  lateWaitMs,
  type OrderChange,
  statusByOrderState,
  waitMs,
  withoutTransfers,
  withReceivedAmount
} from "./orderStep.ts"
import { orderTransfers, type ReportWithReturn } from "./orderTransfers.ts"
import { unidentifiedReturns } from "./unidentifiedReturns.ts"

/**
 * Hours for which the service waits for the transfer of an order that has ended at its provider. An operator then
 * reviews the order.
 */
const MISSING_HOURS = 24
const MISSING_REASON = "The provider reports that the order ended, but no block includes its transfer"

/** Advances orders according to the reports of their providers and the on-chain transfers of the token. */
export const orderSteps = Effect.gen(function* () {
  const store = yield* FiatOrderStore
  const transfersOf = yield* orderTransfers
  const change = yield* orderChanges
  const findReturn = yield* unidentifiedReturns

  /**
   * Searches for the transfer that returned a withdrawal's token, if the provider's report does not name it, and adds
   * it to the report. If no transfer returned the token to the wallet, changes the report's state to FAILED.
   */
  const reportWithReturn = Effect.fnUntraced(function* (
    work: Work,
    order: FiatOrder,
    report: FiatReport
  ): Effect.fn.Return<ReportWithReturn, UpstreamUnavailable> {
    const { returnHash } = report
    if (returnHash !== "UNNAMED") return { ...report, returnHash }
    const returnedHash = yield* findReturn(order, yield* work.transaction)
    return returnedHash === null
      ? { ...report, state: "FAILED", returnHash: null }
      : { ...report, returnHash: returnedHash }
  })

  const stepTo = (work: Work, storedOrder: StoredFiatOrder, orderChange: OrderChange, now: DateTime.Utc): Step => {
    const storeChange = Effect.flatMap(change(storedOrder, orderChange.order), (isStored) =>
      // If an operator has ended the order since it was read, the report changes neither the order nor the transaction.
      isStored
        ? Effect.void
        : Effect.die(new Error("The fiat order has changed since it was read. The stage repeats the step later."))
    )
    return changeStep(work, orderChange, now, storeChange)
  }

  /** Waits for a transfer that no block includes, and stores the start time. After a day, the order is IN_REVIEW. */
  const missingStep = Effect.fnUntraced(function* (
    work: Work,
    storedOrder: StoredFiatOrder,
    waitStep: Step,
    now: DateTime.Utc
  ) {
    const { order, version } = storedOrder
    if (isOver(order.state)) return waitStep
    if (order.transferMissingSince === null) {
      yield* store.update({ ...order, transferMissingSince: now }, version)
      return waitStep
    }
    const isStillWaiting = DateTime.isLessThan(now, DateTime.add(order.transferMissingSince, { hours: MISSING_HOURS }))
    const orderInReview = isStillWaiting ? order : transitionOrder(order, "IN_REVIEW", now, MISSING_REASON)
    return orderInReview === order ? waitStep : stepTo(work, storedOrder, withoutTransfers(orderInReview), now)
  })

  /** Returns the step of an order after a report of its provider. */
  const reportStep = Effect.fnUntraced(function* (
    work: Work,
    storedOrder: StoredFiatOrder,
    providerReport: FiatReport
  ): Effect.fn.Return<Step, UpstreamUnavailable> {
    const now = yield* DateTime.now
    const { order } = storedOrder
    const waitStep: Step = { _tag: "Wait", afterMs: lateWaitMs(order, now) ?? waitMs(work, now) }
    const report = yield* reportWithReturn(work, order, providerReport)
    const orderAfterReport = orderAfter(order, report, now)
    if (orderAfterReport === order) return waitStep
    const transfersResult = yield* transfersOf(work, order, { ...report, state: orderAfterReport.state })
    if (transfersResult._tag === "Missing") return yield* missingStep(work, storedOrder, waitStep, now)
    if (transfersResult._tag === "Mismatch") {
      const orderInReview = transitionOrder(order, "IN_REVIEW", now, transfersResult.reason)
      return orderInReview === order ? waitStep : stepTo(work, storedOrder, withoutTransfers(orderInReview), now)
    }
    const { transfers } = transfersResult
    const nextOrder = report.transactionHash === null ? withRemainingAllowance(orderAfterReport) : orderAfterReport
    return stepTo(
      work,
      storedOrder,
      { order: withReceivedAmount(nextOrder, transfers), transfers, paid: report.fiatAmount },
      now
    )
  })

  /**
   * Returns the step of an order that has ended: it was rejected before this stage, a reorg removed its transfers, or a
   * late payment or a refund is still possible. Removed transfers are searched for again.
   */
  const stepAfterEnd = Effect.fnUntraced(function* (
    work: Work,
    provider: FiatProvider | undefined,
    storedOrder: StoredFiatOrder
  ): Effect.fn.Return<Step, UpstreamUnavailable> {
    const { order } = storedOrder
    const { providerOrder } = order
    const now = yield* DateTime.now
    const isFinal = providerOrder === null || order.resolution !== null
    if (provider === undefined || isFinal) return stepTo(work, storedOrder, withoutTransfers(order), now)
    const { status } = yield* work.transaction
    const isShown = status === statusByOrderState[order.state]
    const lateMs = lateWaitMs(order, now)
    const reportResult = yield* Effect.result(provider.readOrderReport({ ...order, providerOrder }))
    if (reportResult._tag === "Failure") {
      if (!isShown) return yield* Effect.fail(reportResult.failure)
      return lateMs === null
        ? stepTo(work, storedOrder, withoutTransfers(order), now)
        : { _tag: "Wait", afterMs: lateMs }
    }
    const providerReport = reportResult.success
    if (isShown && lateMs !== null) return yield* reportStep(work, storedOrder, providerReport)
    const report = yield* reportWithReturn(work, order, providerReport)
    const transfersResult = yield* transfersOf(work, order, { ...report, state: order.state })
    if (transfersResult._tag !== "Found") return { _tag: "Wait", afterMs: waitMs(work, now) }
    const { transfers } = transfersResult
    return stepTo(
      work,
      storedOrder,
      { order: withReceivedAmount(order, transfers), transfers, paid: report.fiatAmount },
      now
    )
  })

  return { stepTo, stepOfReport: reportStep, stepOfEnded: stepAfterEnd }
})
