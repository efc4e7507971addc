import { DateTime, Effect, Option } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import {
  reorgFinder,
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
import { openedOrders } from "./openedOrders.ts"
import { isAbandoned } from "./orderAfterReport.ts"
import { transitionOrder } from "./orderMove.ts"
import { isOver } from "./orderStates.ts"
import { WAIT, withoutTransfers } from "./orderStep.ts"
import { orderSteps } from "./orderSteps.ts"
import { submissionSteps } from "./submissionSteps.ts"

/**
 * Milliseconds for which the request that creates an order polls the provider itself, before the execution worker takes
 * over. It is longer than the timeout of a request to a provider, so that normally only one request is in flight.
 */
const OPENING_MS = 20_000

/**
 * Creates the stages of deposits and withdrawals. They poll the provider, verify the reported transfers on-chain, and
 * update the order.
 */
export const fiatStages = Effect.gen(function* () {
  const store = yield* FiatOrderStore
  const providers = yield* FiatProviders
  const transfers = yield* TokenTransfers
  const openOrder = yield* openedOrders
  const findReorg = yield* reorgFinder
  const { stepOfEnded, stepOfReport, stepTo } = yield* orderSteps
  const { failureStep, submit } = submissionSteps({ stepTo })

  const orderOf = ({ quote }: Work) =>
    Effect.map(
      store.findByExecutedQuote(quote.projectId, quote.id),
      Option.getOrThrowWith(() => new Error(`No fiat order exists for the executed quote ${quote.id}`))
    )

  /**
   * Returns whether the provider has collected the token. True if there is no allowance, because the wallet has sent
   * the token.
   */
  const isCollected = Effect.fnUntraced(function* (
    { allowance, quote: { chainId, token, walletAddress: account } }: FiatOrder,
    { transactionHash: hash }: FiatReport
  ) {
    if (allowance === null) return true
    if (hash === null) return false
    return (yield* transfers.find({ chainId, hash, token: token.address, account, direction: "OUT" })) !== null
  })

  /**
   * Ends a deposit that has been unpaid for too long, if its provider does not respond. A later report can still
   * complete the deposit.
   */
  const expireAbandoned =
    (work: Work, storedOrder: StoredFiatOrder) =>
    (error: UpstreamUnavailable): Effect.Effect<Step, UpstreamUnavailable> =>
      Effect.flatMap(DateTime.now, (now) =>
        isAbandoned(storedOrder.order, now)
          ? Effect.succeed(
              stepTo(work, storedOrder, withoutTransfers(transitionOrder(storedOrder.order, "EXPIRED", now)), now)
            )
          : Effect.fail(error)
      )

  /** Creates a stage. It runs `begin` until the provider has created its order, and then polls the provider. */
  const stage = (
    description: StageDescription,
    begin: (
      work: Work,
      provider: FiatProvider,
      storedOrder: StoredFiatOrder
    ) => Effect.Effect<Step, UpstreamUnavailable>
  ): Stage => ({
    ...description,
    patienceMs: null,
    step: Effect.fn("FiatStage.step")(function* (work) {
      const backStep = yield* findReorg(yield* work.transaction)
      if (backStep !== null) return backStep
      const storedOrder = yield* orderOf(work)
      const { order } = storedOrder
      const provider = providers.find((one) => one.name === order.quote.provider)
      if (isOver(order.state)) return yield* stepOfEnded(work, provider, storedOrder)
      if (provider === undefined)
        return yield* failureStep(work, storedOrder, `${order.quote.provider} is no longer configured`)
      const expire = expireAbandoned(work, storedOrder)
      if (order.providerOrder === null) return yield* Effect.catch(begin(work, provider, storedOrder), expire)
      const reportResult = yield* Effect.result(
        provider.readOrderReport({ ...order, providerOrder: order.providerOrder })
      )
      if (reportResult._tag === "Failure") return yield* expire(reportResult.failure)
      const report = reportResult.success
      if (description.name === FIAT_SUBMISSION && (yield* isCollected(order, report))) {
        return { _tag: "Next", to: FIAT_PAYOUT, change: (transaction) => transaction }
      }
      return yield* stepOfReport(work, storedOrder, report)
    })
  })

  return [
    stage(
      {
        name: FIAT_DEPOSIT,
        waitsFor: "PAYER",
        awaited: "the payer's bank transfer and the delivery of the stablecoin",
        normalMs: null
      },
      Effect.fnUntraced(function* (_work, _provider, { order }) {
        const ageMs = DateTime.toEpochMillis(yield* DateTime.now) - DateTime.toEpochMillis(order.createdAt)
        if (ageMs > OPENING_MS) yield* openOrder(order.quote.projectId, order.id)
        return { _tag: "Wait", afterMs: WAIT.shortestMs } satisfies Step
      })
    ),
    stage(
      {
        name: FIAT_SUBMISSION,
        waitsFor: "BANK",
        awaited: "the fiat provider, which collects the stablecoin",
        normalMs: 3_600_000
      },
      submit
    ),
    // For orders that an earlier version created without the submission stage.
    stage(
      // A wire that is submitted on a Friday may arrive on the following Tuesday.
      { name: FIAT_PAYOUT, waitsFor: "BANK", awaited: "the payout at the bank", normalMs: 5 * 86_400_000 },
      submit
    )
  ]
})
