import { DateTime, Effect, Option } from "effect"
import type { Transaction, TransactionStatus } from "../../accounting/history/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { waitSinceMs } from "../../foundation/work/index.ts"
import {
  FINALITY,
  reorganisations,
  type Stage,
  type StageDescription,
  type Step,
  type Work
} from "../../operations/executions/index.ts"
import { type FiatProvider, FiatProviders, type FiatReport } from "../provider/FiatProvider.ts"
import { TokenTransfers } from "../provider/TokenTransfers.ts"
import { FIAT_DEPOSIT, FIAT_PAYOUT, FIAT_SUBMISSION } from "./depositQuote.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { FiatOrderStore, type StoredFiatOrder } from "./FiatOrderStore.ts"
import { detailsOfOrder } from "./fiatDetails.ts"
import { bankMovements, isBankMovement } from "./fiatMovements.ts"
import { orderChanges } from "./OrderChanges.ts"
import { openedOrders } from "./openedOrders.ts"
import { movedOrder, withAllowanceLeft } from "./orderMove.ts"
import { type FiatOrderState, isOver, mayMoveOn } from "./orderStates.ts"
import { type NamedReport, type OrderTransfer, orderTransfers } from "./orderTransfers.ts"
import { orderAfter } from "./orderWord.ts"
import { unnamedReturns } from "./unnamedReturns.ts"
import { withTransfers } from "./withTransfers.ts"

const WAIT = { shortestMs: 1_000, longestMs: 60_000 }
/** A request that has made an order asks the provider itself for so long. */
const OPENING_MS = 10_000
/** How long an order that is over is asked for still, where its money may come late or go back. */
const LATE_DAYS = 30
const LATE_WAIT = { shortestMs: 1_000, longestMs: 60 * 60_000 }

const waitMs = ({ execution: { acceptedAt } }: Work, now: DateTime.Utc): number => waitSinceMs(acceptedAt, now, WAIT)

/** How long an order that is over is waited for until it is asked for again; null for one that is not. */
const lateWaitMs = (
  { providerOrder, quote: { direction }, resolution, state, updatedAt }: FiatOrder,
  now: DateTime.Utc
): number | null =>
  providerOrder !== null &&
  resolution === null &&
  mayMoveOn(direction, state) &&
  DateTime.isLessThan(now, DateTime.add(updatedAt, { days: LATE_DAYS }))
    ? waitSinceMs(updatedAt, now, LATE_WAIT)
    : null

/** How the wallet's owner sees the end of an order. */
const statusOf: { readonly [State in FiatOrderState]?: TransactionStatus } = {
  COMPLETED: "COMPLETED",
  EXPIRED: "EXPIRED",
  CANCELLED: "CANCELLED",
  FAILED: "FAILED",
  RETURNED: "REFUNDED",
  REFUNDED: "REFUNDED"
}

const withEnd = (transaction: Transaction, order: FiatOrder, paid: bigint | null, now: DateTime.Utc): Transaction => {
  const status = statusOf[order.state]
  const shown = { ...transaction, substatus: order.state }
  if (status === undefined) return shown
  return {
    ...shown,
    status,
    // An end that a reorganisation took back comes again.
    movements: [...bankMovements(order, paid), ...shown.movements.filter((moved) => !isBankMovement(moved))],
    details: { ...shown.details, ...detailsOfOrder(order) },
    failure:
      order.state === "FAILED"
        ? { code: "FIAT_ORDER_FAILED", message: order.reason ?? "The bank gave no reason" }
        : null,
    executedAt: now
  }
}

/** The stages of deposits and withdrawals: they ask the provider, look up on chain what it names, and move the order. */
export const fiatStages = Effect.gen(function* () {
  const store = yield* FiatOrderStore
  const providers = yield* FiatProviders
  const transfers = yield* TokenTransfers
  const transfersOf = yield* orderTransfers
  const opened = yield* openedOrders
  const change = yield* orderChanges
  const findReturn = yield* unnamedReturns
  const reorganisation = yield* reorganisations

  const orderOf = ({ quote }: Work) =>
    Effect.map(
      store.findByExecutedQuote(quote.projectId, quote.id),
      Option.getOrThrowWith(() => new Error(`No fiat order is executed by quote ${quote.id}`))
    )

  /** The report with its return named, where the token of a withdrawal is back in the wallet; else the order has failed. */
  const named = Effect.fnUntraced(function* (
    work: Work,
    order: FiatOrder,
    report: FiatReport
  ): Effect.fn.Return<NamedReport, UpstreamUnavailable> {
    const { returnHash } = report
    if (returnHash !== "UNNAMED") return { ...report, returnHash }
    const back = yield* findReturn(order, yield* work.transaction)
    return back === null ? { ...report, state: "FAILED", returnHash: null } : { ...report, returnHash: back }
  })

  /** The order with what came of the token. */
  const withReceived = (order: FiatOrder, transfers: ReadonlyArray<OrderTransfer>): FiatOrder =>
    order.quote.direction === "DEPOSIT" && order.state === "COMPLETED"
      ? { ...order, receivedAmount: transfers.reduce((sum, { amount }) => sum + amount, 0n) }
      : order

  const stepTo = (
    work: Work,
    stored: StoredFiatOrder,
    after: FiatOrder,
    transfers: ReadonlyArray<OrderTransfer>,
    paid: bigint | null,
    now: DateTime.Utc
  ): Step => {
    const also = Effect.flatMap(change(stored, after), (isStored) =>
      // An operator may have ended the order since it was read: neither the order nor its transaction moves by this report.
      isStored ? Effect.void : Effect.die(new Error("The fiat order has changed. Its stage repeats the step later."))
    )
    const apply = (before: Transaction): Transaction =>
      withEnd(withTransfers(before, after.quote, work.execution.at, transfers), after, paid, now)
    const stay = isOver(after.state) ? lateWaitMs(after, now) : waitMs(work, now)
    // What comes late is waited for without holding the allowance.
    if (stay !== null && isOver(after.state) && work.stage.name === FIAT_SUBMISSION) {
      return { _tag: "Next", to: FIAT_PAYOUT, change: apply, afterMs: stay, isOpenEnded: true, also }
    }
    if (stay !== null) {
      const isOpenEnded = isOver(after.state)
      return { _tag: "Stay", state: work.stage.state, change: apply, afterMs: stay, isOpenEnded, also }
    }
    // Without a block there is nothing that could be taken back.
    return { _tag: "Next", to: FINALITY, change: apply, also }
  }

  /** The provider's word as a step. */
  const follow = Effect.fnUntraced(function* (
    work: Work,
    stored: StoredFiatOrder,
    reported: FiatReport
  ): Effect.fn.Return<Step, UpstreamUnavailable> {
    const now = yield* DateTime.now
    const { order } = stored
    const wait: Step = { _tag: "Wait", afterMs: lateWaitMs(order, now) ?? waitMs(work, now) }
    const report = yield* named(work, order, reported)
    const moved = orderAfter(order, report, now)
    if (moved === order) return wait
    const rests = yield* transfersOf(work, order, { ...report, state: moved.state })
    if (rests._tag === "Missing") return wait
    if (rests._tag === "Mismatch") {
      const reviewed = movedOrder(order, "IN_REVIEW", now, rests.reason)
      return reviewed === order ? wait : stepTo(work, stored, reviewed, [], null, now)
    }
    const { transfers } = rests
    const after = report.transactionHash === null ? withAllowanceLeft(moved) : moved
    return stepTo(work, stored, withReceived(after, transfers), transfers, report.fiatAmount, now)
  })

  const failed = Effect.fnUntraced(function* (work: Work, stored: StoredFiatOrder, reason: string) {
    const now = yield* DateTime.now
    return stepTo(work, stored, withAllowanceLeft(movedOrder(stored.order, "FAILED", now, reason)), [], null, now)
  })

  /** The owner has allowed the provider to take the token: it is told, once. */
  const submit = Effect.fnUntraced(function* (
    work: Work,
    provider: FiatProvider,
    stored: StoredFiatOrder
  ): Effect.fn.Return<Step, UpstreamUnavailable> {
    const now = yield* DateTime.now
    const submitted = yield* Effect.result(provider.submitWithdrawal(stored.order))
    if (submitted._tag === "Failure") {
      return submitted.failure._tag === "FIAT_REFUSAL"
        ? yield* failed(work, stored, submitted.failure.reason)
        : yield* Effect.fail(submitted.failure)
    }
    const after = { ...movedOrder(stored.order, "PROCESSING", now), providerOrder: submitted.success }
    return stepTo(work, stored, after, [], null, now)
  })

  /**
   * It ended without this stage, refused while it was made; or its transfers have lost their blocks and are looked for again; or its
   * money may still come late or go back.
   */
  const ended = Effect.fnUntraced(function* (
    work: Work,
    provider: FiatProvider | undefined,
    stored: StoredFiatOrder
  ): Effect.fn.Return<Step, UpstreamUnavailable> {
    const { order } = stored
    const { providerOrder } = order
    const now = yield* DateTime.now
    const isFinal = providerOrder === null || order.resolution !== null
    if (provider === undefined || isFinal) return stepTo(work, stored, order, [], null, now)
    const { status } = yield* work.transaction
    const isShown = status === statusOf[order.state]
    const reported = yield* provider.look({ ...order, providerOrder })
    if (isShown && lateWaitMs(order, now) !== null) return yield* follow(work, stored, reported)
    const report = yield* named(work, order, reported)
    const rests = yield* transfersOf(work, order, { ...report, state: order.state })
    if (rests._tag !== "Found") return { _tag: "Wait", afterMs: waitMs(work, now) }
    const { transfers } = rests
    return stepTo(work, stored, withReceived(order, transfers), transfers, report.fiatAmount, now)
  })

  /** Whether the provider has taken the token, or needs no allowance for it. */
  const wasTaken = Effect.fnUntraced(function* (
    { allowance, quote: { chainId, token, walletAddress: account } }: FiatOrder,
    { transactionHash: hash }: FiatReport
  ) {
    if (allowance === null) return true
    if (hash === null) return false
    return (yield* transfers.find({ chainId, hash, token: token.address, account, direction: "OUT" })) !== null
  })

  /** Everything but what makes the provider's order, which deposits and withdrawals do differently. */
  const stage = (
    description: StageDescription,
    begin: (work: Work, provider: FiatProvider, stored: StoredFiatOrder) => Effect.Effect<Step, UpstreamUnavailable>
  ): Stage => ({
    ...description,
    patienceMs: null,
    step: Effect.fn("FiatStage.step")(function* (work) {
      const back = yield* reorganisation(yield* work.transaction)
      if (back !== null) return back
      const stored = yield* orderOf(work)
      const { order } = stored
      const provider = providers.find((one) => one.name === order.quote.provider)
      if (isOver(order.state)) return yield* ended(work, provider, stored)
      if (provider === undefined) return yield* failed(work, stored, `${order.quote.provider} is not served any more`)
      if (order.providerOrder === null) return yield* begin(work, provider, stored)
      const report = yield* provider.look({ ...order, providerOrder: order.providerOrder })
      if (description.name === FIAT_SUBMISSION && (yield* wasTaken(order, report))) {
        return { _tag: "Next", to: FIAT_PAYOUT, change: (transaction) => transaction }
      }
      return yield* follow(work, stored, report)
    })
  })

  return [
    stage(
      {
        name: FIAT_DEPOSIT,
        waitsFor: "PAYER",
        awaited: "the payer's bank transfer, and its stablecoin",
        normalMs: null
      },
      Effect.fnUntraced(function* (_work, _provider, { order }) {
        const ageMs = DateTime.toEpochMillis(yield* DateTime.now) - DateTime.toEpochMillis(order.createdAt)
        if (ageMs > OPENING_MS) yield* opened(order.quote.projectId, order.id)
        return { _tag: "Wait", afterMs: WAIT.shortestMs } satisfies Step
      })
    ),
    stage(
      {
        name: FIAT_SUBMISSION,
        waitsFor: "BANK",
        awaited: "the fiat provider, which takes the stablecoin",
        normalMs: 3_600_000
      },
      submit
    ),
    // Of orders of before there was a stage for it.
    stage(
      // A wire on a Friday is paid out on the next Tuesday.
      { name: FIAT_PAYOUT, waitsFor: "BANK", awaited: "the payout at the bank", normalMs: 5 * 86_400_000 },
      submit
    )
  ]
})
