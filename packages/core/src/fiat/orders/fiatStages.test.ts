import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { HistoryStore, TransferClaims } from "../../accounting/history/index.ts"
import { aTransaction } from "../../accounting/history/Transaction.fixture.ts"
import { PastPrices } from "../../accounting/market-data/index.ts"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { TokenPrices } from "../../foundation/tokens/index.ts"
import { anExecution } from "../../operations/executions/Execution.fixture.ts"
import { FINALITY, type Step, type Work } from "../../operations/executions/index.ts"
import { aQuote } from "../../operations/quotes/Quote.fixture.ts"
import { ChainReader } from "../../operations/user-operations/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import { ActivityStore } from "../../wallets/chain-activity/index.ts"
import { type FiatProvider, FiatProviders, FiatRefusal, type FiatReport } from "../provider/FiatProvider.ts"
import { TokenTransfers } from "../provider/TokenTransfers.ts"
import { FIAT_DEPOSIT, FIAT_SUBMISSION } from "./depositQuote.ts"
import { aFiatOrder, aFiatQuote } from "./FiatOrder.fixture.ts"
import type { FiatOrder } from "./FiatOrder.ts"
import { FiatOrderStore } from "./FiatOrderStore.ts"
import { fiatStages } from "./fiatStages.ts"

const order = aFiatOrder(aFiatQuote(), { state: "IN_REVIEW", providerOrder: "po_1" })
const quote = aQuote()
const execution = anExecution({}, quote)
const work: Work = {
  execution,
  quote,
  stage: execution.stages[0]!,
  intent: null,
  transaction: Effect.succeed(aTransaction({ legs: [] })),
  isOverdue: false
}

const report: FiatReport = {
  state: "FAILED",
  reason: "The bank refused it",
  transactionHash: null,
  returnHash: null,
  fiatAmount: null
}

/**
 * Runs a stage of this order once. If `isCurrent` is false, the store rejects changes of the order. Adds the changed
 * orders to `updates`.
 */
const runStage = (
  name: string,
  order: FiatOrder,
  provider: Partial<FiatProvider>,
  {
    acceptedAt = execution.acceptedAt,
    isCurrent = true,
    updates = [],
    work: stageWork = work
  }: {
    readonly acceptedAt?: DateTime.Utc
    readonly isCurrent?: boolean
    readonly updates?: Array<FiatOrder>
    readonly work?: Work
  } = {}
) =>
  Effect.gen(function* () {
    const stage = (yield* fiatStages).find((one) => one.name === name)
    return yield* stage!.step({ ...stageWork, execution: { ...execution, acceptedAt } })
  }).pipe(
    Effect.provide([
      Layer.mock(FiatOrderStore, {
        findByExecutedQuote: () => Effect.succeed(Option.some({ order, version: 1 })),
        find: () => Effect.succeed(Option.some({ order, version: 1 })),
        update: (updatedOrder) =>
          Effect.sync(() => {
            updates.push(updatedOrder)
            return isCurrent
          })
      }),
      Layer.succeed(FiatProviders, [{ name: order.quote.provider, ...provider } as FiatProvider]),
      Layer.mock(EventOutbox, { append: (event) => Effect.succeed(event as never) }),
      Layer.succeed(UnitOfWork, { run: (work) => work }),
      Layer.mock(HistoryStore, {}),
      Layer.mock(TokenTransfers, {}),
      Layer.mock(ActivityStore, { listChains: Effect.succeed([]) }),
      TransferClaims.layerMemory,
      Layer.mock(ChainReader, {}),
      Layer.mock(TokenPrices, {}),
      Layer.mock(PastPrices, {})
    ])
  )

/**
 * Returns the step after a report. If `isCurrent` is false, the stored order has another version, so the store rejects
 * the change.
 */
const runStep = (isCurrent: boolean) =>
  runStage(FIAT_DEPOSIT, order, { readOrderReport: () => Effect.succeed(report) }, { isCurrent })

const substatusOf = (step: Step) => ("change" in step ? step.change(aTransaction({ legs: [] })).substatus : null)

/** Runs the effect that stores the changed order, and returns its exit. */
const storeChangedOrder = (isCurrent: boolean) =>
  Effect.flatMap(runStep(isCurrent), (step) => {
    assert.strictEqual("also" in step, true)
    return Effect.exit("also" in step ? step.also! : Effect.void)
  })

describe("A provider's report", () => {
  it.effect("that ends the order makes later waits normal, because a payout may be returned weeks later", () =>
    Effect.gen(function* () {
      const step = yield* runStep(true)
      assert.deepInclude(step, { _tag: "Stay", isOpenEnded: true })
    })
  )

  it.effect("changes the transaction together with the order, or neither if an operator has ended the order", () =>
    Effect.gen(function* () {
      assert.isTrue(Exit.isSuccess(yield* storeChangedOrder(true)))
      assert.isFalse(Exit.isSuccess(yield* storeChangedOrder(false)))
    })
  )
})

describe("A rejected submission of a withdrawal", () => {
  const withdrawal = aFiatOrder(aFiatQuote({ direction: "WITHDRAWAL" }))
  const submitWithdrawal = () => Effect.fail(new FiatRefusal({ provider: "BlindPay", reason: "it rejected the quote" }))

  const substatusAfter = Effect.fnUntraced(function* (hours: number) {
    const acceptedAt = DateTime.subtract(yield* DateTime.now, { hours })
    return substatusOf(yield* runStage(FIAT_SUBMISSION, withdrawal, { submitWithdrawal }, { acceptedAt }))
  })

  it.effect("ends the order, or sets it to IN_REVIEW if the provider may no longer keep the idempotency key", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* substatusAfter(23), "FAILED")
      assert.strictEqual(yield* substatusAfter(25), "IN_REVIEW")
    })
  )
})

describe("A report that an order ended without a transfer", () => {
  it.effect("makes the service wait a day for the transfer, and then sets the order to IN_REVIEW", () =>
    Effect.gen(function* () {
      const pendingOrder = aFiatOrder(aFiatQuote(), { state: "PROCESSING", providerOrder: "pi_1" })
      const readOrderReport = () => Effect.succeed({ ...report, state: "COMPLETED" as const, reason: null })
      const updates: Array<FiatOrder> = []
      const run = (order: FiatOrder) => runStage(FIAT_DEPOSIT, order, { readOrderReport }, { updates })
      assert.strictEqual((yield* run(pendingOrder))._tag, "Wait")
      const [waitingOrder] = updates
      assert.deepStrictEqual(waitingOrder, { ...pendingOrder, transferMissingSince: yield* DateTime.now })
      yield* TestClock.adjust("23 hours")
      assert.strictEqual((yield* run(waitingOrder!))._tag, "Wait")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(substatusOf(yield* run(waitingOrder!)), "IN_REVIEW")
      assert.lengthOf(updates, 1)
    })
  )
})

describe("An unpaid deposit whose provider does not respond", () => {
  const failure = () => Effect.fail(new UpstreamUnavailable({ upstream: "BlindPay", reason: "no response" }))

  it.effect.each(["pi_1", null])("expires ten days after its expiry time: %s", (providerOrder) =>
    Effect.gen(function* () {
      const unpaidOrder = aFiatOrder(aFiatQuote(), { providerOrder })
      const run = runStage(FIAT_DEPOSIT, unpaidOrder, { openDeposit: failure, readOrderReport: failure })
      const endMs = DateTime.toEpochMillis(DateTime.add(unpaidOrder.expiresAt, { days: 10 }))
      yield* TestClock.setTime(endMs)
      assert.strictEqual((yield* Effect.flip(run))._tag, "UPSTREAM_UNAVAILABLE")
      yield* TestClock.setTime(endMs + 1)
      assert.strictEqual(substatusOf(yield* run), "EXPIRED")
    })
  )

  it.effect("is checked less often after it has expired, and no longer after a month", () =>
    Effect.gen(function* () {
      const now = yield* DateTime.now
      const expiredOrder = aFiatOrder(aFiatQuote(), { providerOrder: "pi_1", state: "EXPIRED", updatedAt: now })
      const shown = { ...work, transaction: Effect.succeed(aTransaction({ legs: [], status: "EXPIRED" })) }
      const runAfter = Effect.fnUntraced(function* (days: number) {
        yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.add(now, { days })))
        return yield* runStage(FIAT_DEPOSIT, expiredOrder, { readOrderReport: failure }, { work: shown })
      })
      const [early, late] = [yield* runAfter(0.01), yield* runAfter(20)]
      assert.isTrue(early._tag === "Wait" && late._tag === "Wait" && early.afterMs < late.afterMs)
      const last = yield* runAfter(31)
      assert.isTrue(last._tag === "Next" && last.to === FINALITY)
    })
  )
})
