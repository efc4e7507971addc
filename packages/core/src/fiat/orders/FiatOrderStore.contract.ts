import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { UnitOfWork } from "../../foundation/primitives/index.ts"
import { IndividualId } from "../../identity/index.ts"
import { anExecution } from "../../operations/executions/Execution.fixture.ts"
import { ExecutionStore } from "../../operations/executions/index.ts"
import { QuoteStore } from "../../operations/quotes/index.ts"
import { aQuote } from "../../operations/quotes/Quote.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { aFiatOrder, aFiatQuote } from "./FiatOrder.fixture.ts"
import { FiatOrderStore } from "./FiatOrderStore.ts"
import { transitionOrder } from "./orderMove.ts"

const sinceStart = { daily: at(0), monthly: at(0), quarterly: at(0) }

/** Contract tests that every `FiatOrderStore` must pass. */
export const fiatOrderStoreContract = <E>(
  name: string,
  layer: Layer.Layer<FiatOrderStore | ExecutionStore | QuoteStore | UnitOfWork, E>
) =>
  withLayer(layer, { excludeTestServices: true })(`FiatOrderStore: ${name}`, (it) => {
    it.effect("returns quotes and orders as they were stored, only for their own project", () =>
      Effect.gen(function* () {
        const store = yield* FiatOrderStore
        const quote = aFiatQuote()
        const order = aFiatOrder(quote, { providerOrder: `pi_${quote.id}` })
        yield* store.insertQuote(quote)
        assert.isTrue(yield* store.insert(order))
        const storedOrder = Option.some({ order, version: 0 })
        const { projectId } = quote
        assert.deepStrictEqual(yield* store.findQuote(projectId, quote.id), Option.some(quote))
        assert.deepStrictEqual(yield* store.find(projectId, order.id), storedOrder)
        assert.deepStrictEqual(yield* store.findByQuote(projectId, quote.id), storedOrder)
        assert.deepStrictEqual(yield* store.findByExecutedQuote(projectId, order.executedQuote), storedOrder)
        assert.deepStrictEqual(yield* store.findByProviderOrder("blindpay", `pi_${quote.id}`), storedOrder)
        const otherProjectId = aProjectId()
        assert.isTrue(Option.isNone(yield* store.findQuote(otherProjectId, quote.id)))
        assert.isTrue(Option.isNone(yield* store.find(otherProjectId, order.id)))
        assert.deepStrictEqual(yield* store.list({ projectId: otherProjectId, limit: 10 }), [])
      })
    )

    it.effect("stores one order per quote, also with concurrent requests", () =>
      Effect.gen(function* () {
        const store = yield* FiatOrderStore
        const unitOfWork = yield* UnitOfWork
        const quote = aFiatQuote()
        const results = yield* Effect.forEach(
          Array.from({ length: 20 }, () => aFiatOrder(quote)),
          (order) => unitOfWork.run(store.insert(order)),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(results.filter(Boolean), 1)
        assert.lengthOf(yield* store.list({ projectId: quote.projectId, limit: 100 }), 1)
      })
    )

    it.effect("lets one of several concurrent changes of an order succeed", () =>
      Effect.gen(function* () {
        const store = yield* FiatOrderStore
        const order = aFiatOrder(aFiatQuote())
        yield* store.insert(order)
        const changedOrders = yield* Effect.forEach(
          ["PROCESSING", "IN_REVIEW", "FAILED"] as const,
          (state) => store.update(transitionOrder(order, state, at(5)), 0),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(changedOrders.filter(Boolean), 1)
        const storedOrder = Option.getOrThrow(yield* store.find(order.quote.projectId, order.id))
        assert.strictEqual(storedOrder.version, 1)
        assert.strictEqual(storedOrder.order.steps.length, 2)
      })
    )

    it.effect("lists an individual's and a wallet's orders, newest first", () =>
      Effect.gen(function* () {
        const store = yield* FiatOrderStore
        const projectId = aProjectId()
        const otherIndividualId = IndividualId.make("bea")
        const orders = [1, 2, 3].map((time) =>
          aFiatOrder(
            aFiatQuote({ projectId, createdAt: at(time), ...(time === 2 ? { individualId: otherIndividualId } : {}) })
          )
        )
        yield* Effect.forEach(orders, store.insert)
        const listIds = (filter: { readonly individualId?: IndividualId; readonly limit: number }) =>
          Effect.map(store.list({ projectId, ...filter }), (listedOrders) => listedOrders.map(({ id }) => id))
        assert.deepStrictEqual(yield* listIds({ limit: 2 }), [orders[2]!.id, orders[1]!.id])
        assert.deepStrictEqual(yield* listIds({ individualId: otherIndividualId, limit: 9 }), [orders[1]!.id])
      })
    )

    it.effect("adds up pending and completed amounts by period, direction, payment method and identity", () =>
      Effect.gen(function* () {
        const store = yield* FiatOrderStore
        const unitOfWork = yield* UnitOfWork
        const projectId = aProjectId()
        const orderOf = (amount: bigint, time: number, fields: Parameters<typeof aFiatQuote>[0] = {}) =>
          aFiatOrder(aFiatQuote({ projectId, fiatAmount: amount, createdAt: at(time), ...fields }))
        const failedOrder = orderOf(1_000n, 30)
        const doneOrder = orderOf(4n, 30)
        yield* Effect.forEach(
          [
            orderOf(1n, 10),
            orderOf(2n, 20),
            transitionOrder(doneOrder, "COMPLETED", at(40)),
            transitionOrder(failedOrder, "FAILED", at(40)),
            orderOf(8n, 30, { direction: "WITHDRAWAL" }),
            orderOf(16n, 30, { method: "ACH" }),
            orderOf(32n, 30, { individualId: IndividualId.make("bea") })
          ],
          store.insert
        )
        const subject = {
          projectId,
          individualId: IndividualId.make("ana"),
          direction: "DEPOSIT",
          method: "PIX"
        } as const
        const limitStarts = { daily: at(30), monthly: at(20), quarterly: at(5) }
        assert.deepStrictEqual(yield* unitOfWork.run(store.readUsed(subject, limitStarts)), {
          daily: 4n,
          monthly: 6n,
          quarterly: 7n
        })
      })
    )

    it.effect("never lets concurrent units of work together exceed the remaining amount", () =>
      Effect.gen(function* () {
        const store = yield* FiatOrderStore
        const unitOfWork = yield* UnitOfWork
        const projectId = aProjectId()
        const subject = {
          projectId,
          individualId: IndividualId.make("ana"),
          direction: "DEPOSIT",
          method: "PIX"
        } as const
        const reserve = Effect.gen(function* () {
          const { daily } = yield* store.readUsed(subject, sinceStart)
          return daily + 10n <= 50n && (yield* store.insert(aFiatOrder(aFiatQuote({ projectId, fiatAmount: 10n }))))
        })
        const results = yield* Effect.forEach(Array.from({ length: 64 }), () => unitOfWork.run(reserve), {
          concurrency: 64
        })
        assert.lengthOf(results.filter(Boolean), 5)
        assert.strictEqual((yield* unitOfWork.run(store.readUsed(subject, sinceStart))).daily, 50n)
      })
    )

    it.effect("reports pending orders to an operator, with the creation time of the oldest order", () =>
      Effect.gen(function* () {
        const store = yield* FiatOrderStore
        const reviewOrder = { direction: "WITHDRAWAL", state: "IN_REVIEW" } as const
        const readReviewCount = Effect.map(
          store.countPending,
          (waits) => waits.find(({ direction, state }) => direction === "WITHDRAWAL" && state === "IN_REVIEW") ?? null
        )
        assert.isNull(yield* readReviewCount)
        for (const time of [70, 60, 80]) {
          const quote = aFiatQuote({ direction: "WITHDRAWAL", createdAt: at(time), expiresAt: at(1_000_000) })
          yield* store.insert(transitionOrder(aFiatOrder(quote), "IN_REVIEW", at(90)))
        }
        assert.deepStrictEqual(yield* readReviewCount, { ...reviewOrder, count: 3, oldestAt: at(60) })
        assert.notInclude(
          (yield* store.countPending).map(({ state }) => state),
          "FAILED"
        )
      })
    )

    it.effect("stores the limits of one identity, direction and payment method until they are removed", () =>
      Effect.gen(function* () {
        const store = yield* FiatOrderStore
        const { direction, method, projectId } = aFiatQuote()
        const subject = { projectId, individualId: IndividualId.make(`own-${aUuid()}`), direction, method }
        const amounts = { perTransaction: 1n, daily: 2n, monthly: 3n, quarterly: 10n ** 20n }
        assert.isNull(yield* store.findLimitOverride(subject))
        yield* store.setLimitOverride(subject, { ...amounts, daily: 0n })
        yield* store.setLimitOverride(subject, amounts)
        assert.deepStrictEqual(yield* store.findLimitOverride(subject), amounts)
        for (const otherFilter of [
          { method: "ACH" as const },
          { direction: "WITHDRAWAL" as const },
          { projectId: aProjectId() },
          { individualId: IndividualId.make("another") }
        ]) {
          assert.isNull(yield* store.findLimitOverride({ ...subject, ...otherFilter }))
        }
        yield* store.setLimitOverride(subject, null)
        assert.isNull(yield* store.findLimitOverride(subject))
      })
    )

    it.effect("stores webhooks about unknown orders until the orders exist", () =>
      Effect.gen(function* () {
        const store = yield* FiatOrderStore
        const [strayId, earlyId] = [`stray-${aUuid()}`, `early-${aUuid()}`]
        yield* Effect.forEach([1, 3, 2], (time) => store.recordUnknown("blindpay", strayId, at(time)))
        yield* store.recordUnknown("blindpay", earlyId, at(4))
        const ownUnknownOrders = Effect.map(store.listUnknown(100), (all) =>
          all.filter(({ providerOrder }) => [strayId, earlyId].includes(providerOrder))
        )
        assert.deepStrictEqual(
          (yield* ownUnknownOrders).map(({ providerOrder }) => providerOrder),
          [earlyId, strayId]
        )
        yield* store.insert(aFiatOrder(aFiatQuote(), { providerOrder: earlyId }))
        const [remainingOrder, ...others] = yield* ownUnknownOrders
        assert.deepStrictEqual(
          [remainingOrder?.providerOrder, remainingOrder?.times, remainingOrder?.firstAt],
          [strayId, 3, at(1)]
        )
        assert.deepStrictEqual(others, [])
        // More than 30 days later, a webhook about another order.
        yield* store.recordUnknown("blindpay", earlyId, at(31 * 24 * 3_600_000))
        assert.deepStrictEqual(yield* ownUnknownOrders, [])
      })
    )

    it.effect("lists the withdrawals whose owners have not signed in time", () =>
      Effect.gen(function* () {
        const store = yield* FiatOrderStore
        const lateOrder = aFiatOrder(aFiatQuote({ direction: "WITHDRAWAL", expiresAt: at(10) }))
        const signedOrder = {
          ...lateOrder,
          id: aUuid(),
          state: "PROCESSING" as const,
          quote: { ...lateOrder.quote, id: aUuid() }
        }
        yield* store.insert(lateOrder)
        yield* store.insert(signedOrder)
        const unsignedIds = Effect.map(store.listUnsigned(at(11), 100), (storedOrders) =>
          storedOrders.map(({ order }) => order.id)
        )
        assert.include(yield* unsignedIds, lateOrder.id)
        assert.notInclude(yield* unsignedIds, signedOrder.id)
        assert.deepStrictEqual(yield* store.listUnsigned(at(10), 100), [])
      })
    )

    it.effect("lists a withdrawal with a signed operation only after its execution has ended", () =>
      Effect.gen(function* () {
        const [store, executions, quotes] = [yield* FiatOrderStore, yield* ExecutionStore, yield* QuoteStore]
        const quote = aQuote()
        const { projectId } = quote
        const withdrawalQuote = aFiatQuote({ projectId, direction: "WITHDRAWAL", expiresAt: at(10) })
        const order = aFiatOrder(withdrawalQuote, { executedQuote: quote.id })
        const execution = anExecution({}, quote)
        yield* store.insert(order)
        const isListed = Effect.map(store.listUnsigned(at(11), 100), (storedOrders) =>
          storedOrders.some(({ order: { id } }) => id === order.id)
        )
        assert.isTrue(yield* isListed)
        yield* quotes.insert([quote])
        yield* executions.insert(execution)
        assert.isFalse(yield* isListed)
        yield* executions.update(execution, 0, null)
        assert.isTrue(yield* isListed)
      })
    )
  })
