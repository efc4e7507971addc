import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { HexBytes } from "../../foundation/primitives/index.ts"
import type { SignData } from "../../foundation/signing/index.ts"
import type { LimitOrderIntent } from "../../operations/intents/index.ts"
import { type MarketRequest, OrderBook } from "./OrderBook.ts"

export interface OrderBookSample {
  /** Creates a new order that the owner's key signs, and that no solver fills. */
  readonly createOrder: Effect.Effect<LimitOrderIntent>
  readonly sign: (element: SignData) => Effect.Effect<HexBytes>
  /** A sale for which the order book has a market price. */
  readonly market: MarketRequest
}

const UNKNOWN_SIGNATURE = HexBytes.make(`0x${"11".repeat(64)}1b`)

/** Contract tests that every `OrderBook` must pass. */
export const orderBookContract = <E, R>(
  name: string,
  layer: Layer.Layer<OrderBook | R, E>,
  sampleOf: Effect.Effect<OrderBookSample, never, R>
) =>
  withLayer(layer, { excludeTestServices: true })(`OrderBook: ${name}`, (it) => {
    const placeOrder = Effect.gen(function* () {
      const book = yield* OrderBook
      const sample = yield* sampleOf
      const intent = yield* sample.createOrder
      const signature = yield* sample.sign(intent.signData[0]!)
      yield* book.place(intent, signature)
      return { book, intent, sample, signature }
    })

    it.effect("does not have an order that was not submitted", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const intent = yield* (yield* sampleOf).createOrder
        const { blockTimestamp, ...state } = yield* book.readOrderState(intent)
        assert.isAbove(blockTimestamp, 0)
        assert.deepStrictEqual(state, {
          book: "UNKNOWN",
          fills: [],
          areAllFills: true,
          isFilled: false,
          isInvalidated: false
        })
      })
    )

    it.effect("accepts an order, also when it is submitted again", () =>
      Effect.gen(function* () {
        const { book, intent, signature } = yield* placeOrder
        yield* book.place(intent, signature)
        const state = yield* book.readOrderState(intent)
        assert.deepStrictEqual([state.book, state.fills, state.isFilled], ["OPEN", [], false])
      })
    )

    it.effect("permanently rejects an order that another key has signed", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const intent = yield* (yield* sampleOf).createOrder
        const refusal = yield* Effect.flip(book.place(intent, UNKNOWN_SIGNATURE))
        assert.strictEqual(refusal._tag, "ORDER_REFUSED")
        assert.isFalse(refusal._tag === "ORDER_REFUSED" && refusal.isForNow)
      })
    )

    it.effect("counts open orders, and their unfilled amounts", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { market } = yield* sampleOf
        const ordersBefore = yield* book.readOpenOrders(market.chainId, market.owner)
        yield* placeOrder
        const ordersAfter = yield* book.readOpenOrders(market.chainId, market.owner)
        assert.strictEqual(ordersAfter.count, ordersBefore.count + 1)
        const sumOf = (remaining: ReadonlyMap<string, bigint>) => [...remaining.values()].reduce((a, b) => a + b, 0n)
        assert.isTrue(sumOf(ordersAfter.remaining) > sumOf(ordersBefore.remaining))
        assert.isAbove(ordersAfter.limit, 0)
      })
    )

    it.effect("cancels an order only with its owner's signature, and accepts a repeated cancellation", () =>
      Effect.gen(function* () {
        const { book, intent, sample } = yield* placeOrder
        const { element, isTaken } = book.buildCancellation(intent)
        assert.isTrue(isTaken)
        assert.strictEqual((yield* Effect.flip(book.cancel(intent, UNKNOWN_SIGNATURE)))._tag, "CANCELLATION_REFUSED")
        assert.strictEqual((yield* book.readOrderState(intent)).book, "OPEN")
        const signature = yield* sample.sign(element)
        yield* book.cancel(intent, signature)
        yield* book.cancel(intent, signature)
        const state = yield* book.readOrderState(intent)
        assert.deepStrictEqual([state.book, state.isInvalidated], ["CANCELLED", false])
      })
    )

    it.effect("fails to cancel an order that it does not have", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const sample = yield* sampleOf
        const intent = yield* sample.createOrder
        const signature = yield* sample.sign(book.buildCancellation(intent).element)
        const refusal = yield* Effect.flip(book.cancel(intent, signature))
        assert.strictEqual(refusal._tag, "CANCELLATION_REFUSED")
        assert.isNotEmpty(refusal.message)
      })
    )

    it.effect("returns the market's output, and null for a pair without a market", () =>
      Effect.gen(function* () {
        const book = yield* OrderBook
        const { market } = yield* sampleOf
        const price = yield* book.readMarketPrice(market)
        assert.isTrue(price !== null && price > 0n)
        const unknownPair = { ...market, buyToken: market.receiver }
        assert.isNull(yield* book.readMarketPrice(unknownPair))
      })
    )
  })
