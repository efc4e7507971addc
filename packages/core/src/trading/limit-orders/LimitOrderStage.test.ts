import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect, Layer } from "effect"
import { displayedTotal, TransferClaims } from "../../accounting/history/index.ts"
import { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import { aHash, anAddress, at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import type { TypedData } from "../../foundation/signing/index.ts"
import {
  evmFixtureLayer,
  reorgBlock,
  runWorker,
  runWorkerLater,
  setBlock,
  setClock,
  stageNameIn,
  storedExecutionIn,
  transactionIn
} from "../../operations/executions/evm.fixture.ts"
import {
  Acceptances,
  type ExecutionWorker,
  FINALITY,
  type Stage,
  type Step
} from "../../operations/executions/index.ts"
import { eventsIn } from "../../operations/executions/memoryStores.fixture.ts"
import type { LimitOrderIntent } from "../../operations/intents/index.ts"
import { signDataOf } from "../../operations/quotes/index.ts"
import type { OfferRequest, SwapProvider } from "../swap/index.ts"
import { anOffer, aProvider, aSwapFixture, quote, type SwapFixture, swapLayer } from "../swap/swap.fixture.ts"
import { LIMIT_ORDER, limitOrderStage } from "./LimitOrderStage.ts"
import { type BookStatus, OrderBook, type OrderFill, OrderRefused, type OrderState } from "./OrderBook.ts"

const SIGNATURE = HexBytes.make(`0x${"5a".repeat(65)}`)
const SOLD_AMOUNT = 100_000_000n
const BOUGHT_AMOUNT = 5n * 10n ** 16n
const SETTLEMENT = anAddress()
/** Duration of ten Polygon blocks, in which a settlement that is in flight may still be included. */
const IN_FLIGHT_MS = 20_000

/** The state of the single order, in the order book and on-chain. */
interface BookState {
  refusal: OrderRefused | UpstreamUnavailable | null
  placed: Array<HexBytes | null>
  status: BookStatus
  fills: ReadonlyArray<OrderFill>
  areAllFills: boolean
  isInvalidated: boolean
  /** Age of the node's latest block in milliseconds. */
  blockAgeMs: number
}

const layerOrderBook = (book: BookState) =>
  Layer.mock(OrderBook, {
    place: (_intent, signature) =>
      Effect.suspend(() => {
        book.placed.push(signature)
        return book.refusal === null ? Effect.void : Effect.fail(book.refusal)
      }),
    readOrderState: () =>
      Effect.map(Clock.currentTimeMillis, (nowMs): OrderState => {
        const soldAmount = book.fills.reduce((sum, fill) => sum + fill.sold, 0n)
        return {
          blockTimestamp: Math.floor((nowMs - book.blockAgeMs) / 1_000),
          book: book.status,
          fills: book.fills,
          areAllFills: book.areAllFills,
          isFilled: soldAmount >= SOLD_AMOUNT,
          isInvalidated: book.isInvalidated
        }
      }),
    buildCancellation: () => assert.fail(),
    buildInvalidation: () => assert.fail("unused")
  })

const intentOf = (
  { tokenIn, tokenOut }: OfferRequest,
  fixture: SwapFixture,
  validTo: DateTime.Utc
): LimitOrderIntent => {
  const typedData: TypedData = {
    domain: { chainId: 137, verifyingContract: SETTLEMENT },
    types: {},
    primaryType: "Order",
    message: {
      sellToken: tokenIn.address,
      buyToken: tokenOut.address,
      receiver: fixture.wallet.account.address,
      sellAmount: String(SOLD_AMOUNT),
      buyAmount: String(BOUGHT_AMOUNT),
      partiallyFillable: true
    }
  }
  const { address, owner } = fixture.wallet.account
  return {
    type: "LIMIT_ORDER",
    chainId: 137,
    uid: HexBytes.make(`0x${"12".repeat(56)}`),
    signer: owner,
    validTo,
    order: { owner: address, scheme: "EIP712", typedData, appData: "{}" },
    signData: [{ type: "LIMIT_ORDER", method: "eth_signTypedData_v4", hash: aHash(), typedData }]
  }
}

/** Duration of the token approval in the test of a slow approval. It is longer than rejected submissions are retried. */
const APPROVAL_MS = 300_000

const approvalStage: Stage = {
  name: "approval",
  waitsFor: "CHAIN",
  awaited: "the token approval",
  normalMs: null,
  patienceMs: null,
  step: ({ execution }) =>
    Effect.map(
      DateTime.now,
      (now): Step =>
        DateTime.isLessThan(now, DateTime.add(execution.acceptedAt, { milliseconds: APPROVAL_MS }))
          ? { _tag: "Wait", afterMs: 1_000 }
          : { _tag: "Next", change: (before) => before }
    )
}

const providerOf = (fixture: SwapFixture, isApprovalSlow: boolean): SwapProvider =>
  aProvider(
    "book",
    Effect.fnUntraced(function* (request) {
      const validTo = DateTime.add(yield* DateTime.now, { seconds: 600 })
      const intent = intentOf(request, fixture, validTo)
      return anOffer(request, 1n, {
        amountOut: BOUGHT_AMOUNT,
        certainty: "FLOOR",
        stages: [
          ...(isApprovalSlow ? [{ name: approvalStage.name, intent: null, status: "PROCESSING" as const }] : []),
          { name: LIMIT_ORDER, intent: 0, status: "PROCESSING" },
          { name: FINALITY, intent: null, status: "COMPLETED" }
        ],
        intent: { _tag: "Intents", buildIntents: () => Effect.succeed([intent]) }
      })
    }),
    { serves: ({ isLimitOrder }) => isLimitOrder }
  )

const aFill = (fixture: SwapFixture, tenths: bigint, number: bigint): OrderFill => {
  const block = { number, hash: aHash() }
  setBlock(fixture, 137, block)
  const [hash, sold, bought] = [aHash(), (SOLD_AMOUNT * tenths) / 10n, (BOUGHT_AMOUNT * tenths) / 10n]
  const account = fixture.wallet.account.address
  const transfersOf = (index: number, amount: bigint) => ({ account, transfers: [{ index, amount }], amount })
  const transfers = { sold: transfersOf(0, sold), bought: transfersOf(1, bought) }
  return { hash, block, timestamp: DateTime.toEpochMillis(at(0)) / 1_000, sold, bought, transfers }
}

/** Tests an accepted order: 100 USDC for at least 0.05 WETH within ten minutes. */
const scenario = (
  name: string,
  test: (fixture: SwapFixture, book: BookState) => Effect.Effect<unknown, unknown, ExecutionWorker | TransferClaims>,
  isApprovalSlow = false
) =>
  it.effect(name, () => {
    const fixture = aSwapFixture()
    const book: BookState = {
      refusal: null,
      placed: [],
      status: "OPEN",
      fills: [],
      areAllFills: true,
      isInvalidated: false,
      blockAgeMs: 0
    }
    return Effect.gen(function* () {
      yield* setClock(0)
      const { quotes } = yield* quote(fixture, { minAmountOut: "0.05", expiration: 600 })
      const storedQuote = quotes[0]!.quote
      const signatures = Object.fromEntries(signDataOf(storedQuote).map(({ hash }) => [hash, SIGNATURE]))
      yield* Acceptances.use((acceptances) => acceptances.accept(fixture.project.id, storedQuote.id, signatures))
      yield* test(fixture, book)
    }).pipe(
      Effect.provide(
        Layer.mergeAll(
          swapLayer(fixture, [providerOf(fixture, isApprovalSlow)]),
          evmFixtureLayer(fixture, [
            Effect.provide(limitOrderStage, layerOrderBook(book)),
            Effect.succeed(approvalStage)
          ])
        )
      )
    )
  })

const displayedAmounts = (fixture: SwapFixture) => [
  displayedTotal(transactionIn(fixture), "OUT")?.amount ?? null,
  displayedTotal(transactionIn(fixture), "IN")?.amount ?? null
]

const movementAmountsIn = (fixture: SwapFixture) =>
  transactionIn(fixture).movements.map(({ amount, direction }) => [direction, amount])

const eventsOf = (fixture: SwapFixture) => eventsIn(fixture.memory).slice(1)

describe("A limit order", () => {
  scenario("is submitted once, with its owner's signature", (_fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual(book.placed, [SIGNATURE])
    })
  )

  scenario("is submitted again if the order book has not seen its allowance yet", (fixture, book) =>
    Effect.gen(function* () {
      book.refusal = new OrderRefused({ code: "InsufficientAllowance", reason: "none", isForNow: true })
      yield* runWorker
      assert.deepStrictEqual(eventsOf(fixture), [])
      book.refusal = null
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual(eventsOf(fixture), ["updated PROCESSING OPEN"])
    })
  )

  scenario("fails if the order book rejects it permanently, or for too long", (fixture, book) =>
    Effect.gen(function* () {
      book.refusal = new OrderRefused({ code: "InsufficientAllowance", reason: "none", isForNow: true })
      yield* runWorker
      yield* runWorkerLater(200_000)
      assert.deepStrictEqual(eventsOf(fixture), ["failed FAILED REFUSED"])
      assert.strictEqual(transactionIn(fixture).failure?.code, "InsufficientAllowance")
    })
  )

  scenario(
    "is submitted again after a slow approval, if the order book has not seen its allowance yet",
    (fixture, book) =>
      Effect.gen(function* () {
        book.refusal = new OrderRefused({ code: "InsufficientAllowance", reason: "none", isForNow: true })
        yield* runWorker
        yield* runWorkerLater(APPROVAL_MS)
        yield* runWorkerLater(100_000)
        assert.lengthOf(book.placed, 1)
        book.refusal = null
        yield* runWorkerLater(5_000)
        assert.deepStrictEqual(eventsOf(fixture).at(-1), "updated PROCESSING OPEN")
      }),
    true
  )

  scenario("is filled partially, and then completely", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      book.fills = [aFill(fixture, 3n, 60n)]
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual(displayedAmounts(fixture), [(SOLD_AMOUNT * 3n) / 10n, (BOUGHT_AMOUNT * 3n) / 10n])
      yield* runWorkerLater(5_000)
      book.fills = [...book.fills, aFill(fixture, 7n, 61n)]
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual(eventsOf(fixture), [
        "updated PROCESSING OPEN",
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

  scenario(
    "is not filled until the order book reports every transaction and the chain proves the fills",
    (fixture, book) =>
      Effect.gen(function* () {
        yield* runWorker
        book.areAllFills = false
        book.status = "FILLED"
        yield* runWorkerLater(5_000)
        assert.deepStrictEqual(eventsOf(fixture), ["updated PROCESSING OPEN"])
        book.areAllFills = true
        yield* runWorkerLater(5_000)
        assert.deepStrictEqual(eventsOf(fixture), ["updated PROCESSING OPEN"])
      })
  )

  scenario("ends as filled, without transfers that another operation of the project has recorded", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      const fill = aFill(fixture, 4n, 60n)
      book.fills = [fill]
      const { projectId } = transactionIn(fixture)
      const reference = { projectId, transactionId: aUuid(), chainId: 137, hash: fill.hash } as const
      const account = fixture.wallet.account.address
      const shares = [{ index: 1, amount: fill.bought, of: fill.bought }]
      assert.isTrue(yield* TransferClaims.use((claims) => claims.claim({ ...reference, account, shares })))
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual(movementAmountsIn(fixture), [["OUT", fill.sold]])
      book.fills = [fill, aFill(fixture, 6n, 61n)]
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual(eventsOf(fixture), [
        "updated PROCESSING OPEN",
        "updated PROCESSING PARTIALLY_FILLED",
        "completed COMPLETED RECORDED_ELSEWHERE"
      ])
      assert.deepStrictEqual(movementAmountsIn(fixture), [
        ["IN", (BOUGHT_AMOUNT * 6n) / 10n],
        ["OUT", fill.sold],
        ["OUT", SOLD_AMOUNT - fill.sold]
      ])
      assert.lengthOf(transactionIn(fixture).legs, 2)
    })
  )

  scenario(
    "reports that another operation recorded its transfers, even if it ends with a known fill",
    (fixture, book) =>
      Effect.gen(function* () {
        yield* runWorker
        const fill = aFill(fixture, 4n, 60n)
        book.fills = [fill]
        const { projectId } = transactionIn(fixture)
        const reference = { projectId, transactionId: aUuid(), chainId: 137, hash: fill.hash } as const
        const account = fixture.wallet.account.address
        const shares = [{ index: 0, amount: fill.sold, of: fill.sold }]
        assert.isTrue(yield* TransferClaims.use((claims) => claims.claim({ ...reference, account, shares })))
        yield* runWorkerLater(5_000)
        assert.deepStrictEqual(movementAmountsIn(fixture), [["IN", fill.bought]])
        yield* runWorkerLater(601_000 + IN_FLIGHT_MS)
        assert.strictEqual(
          eventsIn(fixture.memory).at(-1),
          "partially_completed PARTIALLY_COMPLETED RECORDED_ELSEWHERE"
        )
      })
  )

  scenario("claims the transfers of its fills", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      const fill = aFill(fixture, 10n, 60n)
      book.fills = [fill]
      yield* runWorkerLater(5_000)
      const { projectId } = transactionIn(fixture)
      const account = fixture.wallet.account.address
      const reference = { projectId, transactionId: aUuid(), chainId: 137, hash: fill.hash, account } as const
      const claimedShares = yield* TransferClaims.use((claims) => claims.readClaimedByOthers(reference))
      assert.deepStrictEqual([...claimedShares.values()], [fill.sold, fill.bought])
    })
  )

  scenario("expires with its filled part", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      book.fills = [aFill(fixture, 4n, 60n)]
      yield* runWorkerLater(5_000)
      yield* runWorkerLater(601_000 + IN_FLIGHT_MS)
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "partially_completed PARTIALLY_COMPLETED EXPIRED")
      assert.deepStrictEqual(displayedAmounts(fixture), [(SOLD_AMOUNT * 4n) / 10n, (BOUGHT_AMOUNT * 4n) / 10n])
    })
  )

  scenario("expires even if the order book does not respond", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      book.status = "UNKNOWN"
      yield* runWorkerLater(601_000 + IN_FLIGHT_MS)
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "expired EXPIRED EXPIRED")
      assert.deepStrictEqual(displayedAmounts(fixture), [null, null])
    })
  )

  scenario(
    "does not expire before a block's timestamp is past its expiry, because a node may be behind",
    (fixture, book) =>
      Effect.gen(function* () {
        yield* runWorker
        book.blockAgeMs = 120_000
        yield* runWorkerLater(601_000 + IN_FLIGHT_MS)
        assert.deepStrictEqual(eventsOf(fixture), ["updated PROCESSING OPEN"])
        book.fills = [aFill(fixture, 10n, 60n)]
        yield* runWorkerLater(60_000)
        assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED FILLED")
      })
  )

  scenario("does not expire for a day if the order book reports that it is filled", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      book.status = "FILLED"
      yield* runWorkerLater(601_000 + IN_FLIGHT_MS)
      yield* runWorkerLater(80_000_000)
      assert.deepStrictEqual(eventsOf(fixture), ["updated PROCESSING OPEN"])
      book.fills = [aFill(fixture, 10n, 60n)]
      yield* runWorkerLater(60_000)
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED FILLED")
    })
  )

  scenario("expires if the order book did not respond to its submission before its expiry", (fixture, book) =>
    Effect.gen(function* () {
      book.refusal = new UpstreamUnavailable({ upstream: "The order book", reason: "no response" })
      book.status = "UNKNOWN"
      yield* runWorker
      yield* runWorkerLater(400_000)
      assert.lengthOf(book.placed, 2)
      yield* runWorkerLater(201_000 + IN_FLIGHT_MS)
      assert.lengthOf(book.placed, 2)
      assert.deepStrictEqual(eventsOf(fixture), ["expired EXPIRED EXPIRED"])
    })
  )

  scenario("that is cancelled while it is filled continues, and ends as filled", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      book.status = "CANCELLED"
      yield* runWorkerLater(3_000)
      book.fills = [aFill(fixture, 10n, 60n)]
      yield* runWorkerLater(3_000)
      yield* runWorker
      assert.deepStrictEqual(eventsOf(fixture), [
        "updated PROCESSING OPEN",
        "cancelled CANCELLED CANCELLED",
        "reorged PROCESSING PARTIALLY_FILLED",
        "completed COMPLETED FILLED"
      ])
    })
  )

  scenario("that is cancelled during a partial fill ends as cancelled with that fill", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      book.status = "CANCELLED"
      yield* runWorkerLater(3_000)
      book.fills = [aFill(fixture, 4n, 60n)]
      yield* runWorkerLater(3_000)
      yield* runWorker
      yield* runWorkerLater(IN_FLIGHT_MS + 1_000)
      assert.deepStrictEqual(eventsOf(fixture).slice(2), [
        "reorged PROCESSING PARTIALLY_FILLED",
        "partially_completed PARTIALLY_COMPLETED CANCELLED"
      ])
      assert.strictEqual(stageNameIn(fixture), "finality")
      assert.strictEqual(transactionIn(fixture).status, "PARTIALLY_COMPLETED")
    })
  )

  scenario(
    "that is cancelled is shown as cancelled immediately, and checked until no settlement can be in flight",
    (fixture, book) =>
      Effect.gen(function* () {
        yield* runWorker
        book.status = "CANCELLED"
        yield* runWorkerLater(3_000)
        assert.deepStrictEqual(eventsOf(fixture), ["updated PROCESSING OPEN", "cancelled CANCELLED CANCELLED"])
        const { executedAt } = transactionIn(fixture)
        yield* runWorkerLater(IN_FLIGHT_MS - 5_000)
        assert.isNotNull(storedExecutionIn(fixture).dueAt)
        yield* runWorkerLater(6_000)
        yield* runWorker
        assert.isNull(storedExecutionIn(fixture).dueAt)
        assert.lengthOf(eventsOf(fixture), 2)
        const { executedAt: endedAt, status, substatus } = transactionIn(fixture)
        assert.deepStrictEqual([status, substatus, endedAt], ["CANCELLED", "CANCELLED", executedAt])
      })
  )

  scenario("is cancelled immediately after its wallet invalidates it on-chain", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      book.isInvalidated = true
      yield* runWorkerLater(3_000)
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "cancelled CANCELLED CANCELLED")
    })
  )

  scenario("keeps a recorded fill while a node that is behind does not have it", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      const fill = aFill(fixture, 3n, 60n)
      book.fills = [fill]
      yield* runWorkerLater(5_000)
      const { movements } = transactionIn(fixture)
      assert.lengthOf(movements, 2)
      const events = eventsIn(fixture.memory)
      book.fills = []
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual(transactionIn(fixture).movements, movements)
      // An expired order does not end either while its recorded fill is missing.
      yield* runWorkerLater(80_000_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), events)
      book.fills = [fill]
      yield* runWorkerLater()
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "partially_completed PARTIALLY_COMPLETED EXPIRED")
      assert.deepStrictEqual(transactionIn(fixture).movements, movements)
    })
  )

  scenario("ends a day after its end on-chain if the order book never reports its fills", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      book.areAllFills = false
      yield* runWorkerLater(601_000 + IN_FLIGHT_MS)
      const events = eventsIn(fixture.memory)
      yield* runWorkerLater(86_000_000)
      assert.deepStrictEqual(eventsIn(fixture.memory), events)
      assert.strictEqual(transactionIn(fixture).status, "PROCESSING")
      yield* runWorkerLater(500_000)
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "partially_completed PARTIALLY_COMPLETED EXPIRED")
    })
  )

  scenario("keeps the value of a fill after a later fill at another price", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      const firstFill = aFill(fixture, 4n, 60n)
      book.fills = [firstFill]
      yield* runWorkerLater(5_000)
      const valuesOf = (amount: bigint) =>
        transactionIn(fixture).movements.flatMap((movement) => (movement.amount === amount ? [movement.usd] : []))
      assert.deepStrictEqual(valuesOf(firstFill.bought), ["40"])
      for (const [key, price] of fixture.prices) fixture.prices.set(key, price * 2n)
      const secondFill = aFill(fixture, 3n, 61n)
      book.fills = [firstFill, secondFill]
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual([valuesOf(firstFill.bought), valuesOf(secondFill.bought)], [["40"], ["60"]])
    })
  )

  scenario("records no value for a fill that is found hours later", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      const fill = aFill(fixture, 4n, 60n)
      book.fills = [{ ...fill, timestamp: fill.timestamp - 7_200 }]
      yield* runWorkerLater(5_000)
      assert.deepStrictEqual(
        transactionIn(fixture).movements.map(({ usd }) => usd),
        [null, null]
      )
    })
  )

  scenario("removes a fill whose block a reorg removed, and ends with the other fills", (fixture, book) =>
    Effect.gen(function* () {
      yield* runWorker
      book.fills = [aFill(fixture, 3n, 60n)]
      yield* runWorkerLater(5_000)
      book.fills = []
      reorgBlock(fixture, 137, 60n)
      yield* runWorkerLater(5_000)
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "updated PROCESSING REORGED")
      book.fills = [aFill(fixture, 10n, 62n)]
      yield* runWorkerLater(5_000)
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED FILLED")
      reorgBlock(fixture, 137, 62n)
      book.fills = []
      yield* runWorkerLater()
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "reorged PROCESSING REORGED")
      book.fills = [aFill(fixture, 10n, 63n)]
      yield* runWorker
      assert.strictEqual(eventsIn(fixture.memory).at(-1), "completed COMPLETED FILLED")
      assert.deepStrictEqual(displayedAmounts(fixture), [SOLD_AMOUNT, BOUGHT_AMOUNT])
      assert.lengthOf(transactionIn(fixture).legs, 1)
    })
  )
})
