import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { displayedTotal } from "../../../src/accounting/history/index.ts"
import { aHash, anAddress } from "../../../src/foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../../src/foundation/primitives/index.ts"
import {
  anOutcome,
  evmFixtureLayer,
  include,
  reorgBlock,
  runWorker,
  runWorkerLater,
  setBlock,
  setClock,
  stageNameIn,
  storedExecutionIn,
  transactionIn
} from "../../../src/operations/executions/evm.fixture.ts"
import { Acceptances, type ExecutionWorker } from "../../../src/operations/executions/index.ts"
import { eventsIn } from "../../../src/operations/executions/memoryStores.fixture.ts"
import { signDataOf } from "../../../src/operations/quotes/index.ts"
import { aSwapFixture, quote, type SwapFixture, swapLayer } from "../../../src/trading/swap/swap.fixture.ts"
import { type Fill, type OrderBook, orderBookProvider, orderBookStage } from "./orderBook.ts"

const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)
const SOLD_AMOUNT = 100_000_000n
const BOUGHT_AMOUNT = 5n * 10n ** 16n

const orderIn = ({ orders }: OrderBook) => [...orders.values()][0]!

/** Returns a partial fill of the order, in its own block. */
const aFill = (fixture: SwapFixture, tenths: bigint, number: bigint): Fill => {
  const block = { number, hash: aHash() }
  setBlock(fixture, 137, block)
  return {
    hash: aHash(),
    block,
    soldAmount: (SOLD_AMOUNT * tenths) / 10n,
    boughtAmount: (BOUGHT_AMOUNT * tenths) / 10n
  }
}

/** Tests a signed and accepted quote for 100 USDC, for at least 0.05 WETH within ten minutes. */
const scenario = (
  name: string,
  isAllowedOnChain: boolean,
  test: (fixture: SwapFixture, book: OrderBook) => Effect.Effect<unknown, unknown, ExecutionWorker>
) =>
  it.effect(`${name}${isAllowedOnChain ? ", after the operation that approves it" : ""}`, () => {
    const fixture = aSwapFixture()
    const book: OrderBook = {
      address: anAddress(),
      orders: new Map(),
      isAllowedOnChain,
      salt: 0,
      digestOf: ({ message }) => `0x${BigInt(String(message.sellAmount)).toString(16).padStart(64, "0")}`
    }
    return Effect.gen(function* () {
      yield* setClock(0)
      const {
        quotes: [firstQuote]
      } = yield* quote(fixture, { minAmountOut: "0.05", expiration: 600 })
      const { content, quote: storedQuote } = firstQuote!
      assert.strictEqual(content.minAmountOut, BOUGHT_AMOUNT)
      assert.strictEqual(storedQuote.transaction.type, "LIMIT_ORDER")
      assert.deepStrictEqual(
        storedQuote.intents.map(({ type }) => type),
        isAllowedOnChain ? ["USER_OPERATION", "LIMIT_ORDER"] : ["LIMIT_ORDER"]
      )
      const execution = yield* Acceptances.use((acceptances) =>
        acceptances.accept(
          fixture.project.id,
          storedQuote.id,
          Object.fromEntries(signDataOf(storedQuote).map(({ hash }) => [hash, SIGNATURE]))
        )
      )
      assert.deepStrictEqual(execution.estimatedExecutionTime, content.estimatedExecutionTime)
      if (isAllowedOnChain) {
        include(fixture, 137, anOutcome({ blockNumber: 50n }))
        yield* runWorker
        assert.deepStrictEqual(eventsIn(fixture.memory).slice(1), ["updated PROCESSING INCLUDED"])
        assert.isNull(displayedTotal({ ...transactionIn(fixture), status: "COMPLETED" }, "OUT"))
        fixture.memory.events.splice(1)
        yield* runWorkerLater(10_000)
      } else {
        yield* runWorker
      }
      assert.strictEqual(stageNameIn(fixture), "order-book")
      assert.deepStrictEqual(orderIn(book).signature, SIGNATURE)
      assert.deepStrictEqual(eventsIn(fixture.memory), ["created PROCESSING SUBMITTED"])
      yield* test(fixture, book)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(swapLayer(fixture, [orderBookProvider(book)]), evmFixtureLayer(fixture, [orderBookStage(book)]))
      )
    )
  })

const displayedAmounts = (fixture: SwapFixture) => [
  displayedTotal(transactionIn(fixture), "OUT")?.amount ?? null,
  displayedTotal(transactionIn(fixture), "IN")?.amount ?? null
]

describe("An order book", () => {
  for (const isAllowedOnChain of [false, true]) {
    scenario("fills an order in parts, and then completely", isAllowedOnChain, (fixture, book) =>
      Effect.gen(function* () {
        const order = orderIn(book)
        assert.deepStrictEqual(displayedAmounts(fixture), [SOLD_AMOUNT, BOUGHT_AMOUNT])
        order.fills = [aFill(fixture, 3n, 60n)]
        yield* runWorkerLater(10_000)
        assert.deepStrictEqual(displayedAmounts(fixture), [(SOLD_AMOUNT * 3n) / 10n, (BOUGHT_AMOUNT * 3n) / 10n])
        yield* runWorkerLater(10_000)
        order.fills = [...order.fills, aFill(fixture, 7n, 61n)]
        order.status = "FILLED"
        yield* runWorkerLater(10_000)
        assert.deepStrictEqual(eventsIn(fixture.memory).slice(1), [
          "updated PROCESSING PARTIALLY_FILLED",
          "completed COMPLETED FILLED"
        ])
        assert.deepStrictEqual(displayedAmounts(fixture), [SOLD_AMOUNT, BOUGHT_AMOUNT])
        assert.strictEqual(stageNameIn(fixture), "finality")
        fixture.heads.set(137, 200n)
        yield* runWorkerLater()
        assert.isNull(storedExecutionIn(fixture).dueAt)
        assert.isTrue(transactionIn(fixture).legs.every(({ state }) => state === "FINAL"))
      })
    )

    scenario("expires an order without fills", isAllowedOnChain, (fixture) =>
      Effect.gen(function* () {
        yield* runWorkerLater(601_000)
        assert.deepStrictEqual(eventsIn(fixture.memory).slice(1), ["expired EXPIRED null"])
        assert.deepStrictEqual(displayedAmounts(fixture), [null, null])
        assert.isNull(storedExecutionIn(fixture).dueAt)
      })
    )

    scenario("ends a partially filled order that has expired", isAllowedOnChain, (fixture, book) =>
      Effect.gen(function* () {
        orderIn(book).fills = [aFill(fixture, 4n, 60n)]
        orderIn(book).status = "EXPIRED"
        yield* runWorkerLater(10_000)
        assert.deepStrictEqual(eventsIn(fixture.memory).slice(1), ["partially_completed PARTIALLY_COMPLETED EXPIRED"])
        assert.deepStrictEqual(displayedAmounts(fixture), [(SOLD_AMOUNT * 4n) / 10n, (BOUGHT_AMOUNT * 4n) / 10n])
        assert.strictEqual(stageNameIn(fixture), "finality")
      })
    )

    scenario("ends a cancelled order", isAllowedOnChain, (fixture, book) =>
      Effect.gen(function* () {
        orderIn(book).status = "CANCELLED"
        yield* runWorkerLater(10_000)
        assert.deepStrictEqual(eventsIn(fixture.memory).slice(1), ["cancelled CANCELLED null"])
        assert.isNull(storedExecutionIn(fixture).dueAt)
      })
    )

    scenario("removes a fill if a reorg removes its block, and adds it again", isAllowedOnChain, (fixture, book) =>
      Effect.gen(function* () {
        const order = orderIn(book)
        order.fills = [aFill(fixture, 3n, 60n)]
        yield* runWorkerLater(10_000)
        order.fills = []
        reorgBlock(fixture, 137, 60n)
        yield* runWorkerLater(10_000)
        assert.deepStrictEqual(eventsIn(fixture.memory).slice(1), [
          "updated PROCESSING PARTIALLY_FILLED",
          "updated PROCESSING REORGED"
        ])
        assert.deepStrictEqual(displayedAmounts(fixture), [SOLD_AMOUNT, BOUGHT_AMOUNT])
        order.fills = [aFill(fixture, 10n, 62n)]
        order.status = "FILLED"
        yield* runWorkerLater(10_000)
        reorgBlock(fixture, 137, 62n)
        order.fills = []
        order.status = "OPEN"
        yield* runWorkerLater()
        assert.deepStrictEqual(eventsIn(fixture.memory).slice(-2), [
          "completed COMPLETED FILLED",
          "reorged PROCESSING REORGED"
        ])
        order.fills = [aFill(fixture, 10n, 63n)]
        order.status = "FILLED"
        yield* runWorker
        assert.deepStrictEqual(displayedAmounts(fixture), [SOLD_AMOUNT, BOUGHT_AMOUNT])
        assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED FILLED")
        assert.lengthOf(transactionIn(fixture).legs, isAllowedOnChain ? 2 : 1)
      })
    )
  }
})
