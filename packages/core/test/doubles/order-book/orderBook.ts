import { DateTime, Effect } from "effect"
import type { BlockRef, Leg, Movement, Transaction } from "../../../src/accounting/history/index.ts"
import { isEvmChainId } from "../../../src/foundation/chains/index.ts"
import { Address, Hash32, HexBytes } from "../../../src/foundation/primitives/index.ts"
import { signatureOf, type TypedData } from "../../../src/foundation/signing/index.ts"
import { FINALITY, reorgFinder, type Stage, type Step } from "../../../src/operations/executions/index.ts"
import type { LimitOrderIntent } from "../../../src/operations/intents/index.ts"
import {
  type Offer,
  type OfferRequest,
  type OfferTerms,
  RouteNotFound,
  type SwapProvider,
  swapKind
} from "../../../src/trading/swap/index.ts"

export interface Fill {
  readonly hash: Hash32
  readonly block: BlockRef
  readonly soldAmount: bigint
  readonly boughtAmount: bigint
}

export interface BookedOrder {
  readonly signature: HexBytes
  status: "OPEN" | "FILLED" | "EXPIRED" | "CANCELLED"
  fills: ReadonlyArray<Fill>
}

export interface OrderBook {
  readonly address: Address
  readonly orders: Map<string, BookedOrder>
  /** Whether an operation of the wallet must approve an order before the order is valid. */
  readonly isAllowedOnChain: boolean
  /** Makes each order unique. */
  salt: number
  /** Returns the digest of typed data (EIP-712). */
  readonly digestOf: (typedData: TypedData) => `0x${string}`
}

const ORDER_BOOK = "order-book"
const POLL_EVERY_MS = 10_000

const orderOf = (
  book: OrderBook,
  request: OfferRequest,
  { sender, signer }: OfferTerms,
  now: DateTime.Utc
): LimitOrderIntent => {
  const { chainId } = request.tokenIn
  book.salt += 1
  if (!isEvmChainId(chainId)) throw new Error("Bitcoin has no order book")
  const typedData: TypedData = {
    domain: { name: "Test Book", version: "1", chainId, verifyingContract: book.address },
    types: {
      Order: [
        { name: "owner", type: "address" },
        { name: "sellAmount", type: "uint256" },
        { name: "salt", type: "uint256" }
      ]
    },
    primaryType: "Order",
    message: { owner: sender, sellAmount: String(request.amountIn), salt: String(book.salt) }
  }
  const digest = Hash32.make(book.digestOf(typedData))
  return {
    type: "LIMIT_ORDER",
    chainId,
    // Data that the order book returns with its offer, and requires in each status request.
    uid: HexBytes.make(`${digest}${sender.slice(2)}00000000`),
    signer: Address.make(signer),
    validTo: DateTime.add(now, { seconds: request.limit?.expirationSeconds ?? 600 }),
    signData: [{ type: "LIMIT_ORDER", method: "eth_signTypedData_v4", hash: digest, typedData }]
  }
}

const offerOf = (book: OrderBook, request: OfferRequest, amountOut: bigint): Offer => {
  const createOrders = (terms: OfferTerms) => Effect.map(DateTime.now, (now) => [orderOf(book, request, terms, now)])
  return {
    ...request,
    amountOut,
    certainty: "FLOOR",
    blockNumber: null,
    route: [],
    fees: [],
    executionSeconds: 600,
    stages: [
      { name: ORDER_BOOK, intent: book.isAllowedOnChain ? 1 : 0, status: "PROCESSING" },
      ...(book.isAllowedOnChain ? [] : [{ name: FINALITY, intent: null, status: "COMPLETED" as const }])
    ],
    requoteAmount: (amountIn) => Effect.sync(() => offerOf(book, { ...request, amountIn }, amountOut)),
    requestFollowUp: null,
    intent: book.isAllowedOnChain
      ? {
          _tag: "Calls",
          buildCalls: () =>
            Effect.succeed([{ to: book.address, value: 0n, data: HexBytes.make("0x01"), summary: "Allow the order" }]),
          listLaterIntents: createOrders
        }
      : { _tag: "Intents", buildIntents: createOrders }
  }
}

export const orderBookProvider = (book: OrderBook): SwapProvider => ({
  id: "book",
  name: "The book",
  serves: ({ chainIdIn, chainIdOut, isLimitOrder }) => chainIdIn === chainIdOut && isLimitOrder,
  stages: Effect.map(orderBookStage(book), (stage) => [stage]),
  offer: (request) =>
    request.limit === null
      ? Effect.fail(new RouteNotFound({ provider: "book", reason: "limit orders only" }))
      : Effect.succeed(offerOf(book, request, request.limit.minAmountOut))
})

/** Returns the transaction with all fills of its order, including already reported ones. */
const withFills = (
  transaction: Transaction,
  stage: number,
  fills: ReadonlyArray<Fill>,
  movementsOf: (fill: Fill, leg: number) => ReadonlyArray<Movement>
): Transaction => {
  const otherLegs = transaction.legs.filter((leg) => leg.stage !== stage)
  const isOther = ({ leg }: Movement) => leg === null || transaction.legs[leg]?.stage !== stage
  return {
    ...transaction,
    legs: [
      ...otherLegs,
      ...fills.map(
        ({ block, hash }): Leg => ({ chainId: transaction.chainIdIn!, hash, block, state: "INCLUDED", stage })
      )
    ],
    movements: [
      ...transaction.movements.filter(isOther),
      ...fills.flatMap((fill, i) => movementsOf(fill, otherLegs.length + i))
    ]
  }
}

/** Creates a stage that submits an order, and waits until it is filled or can no longer be filled. */
export const orderBookStage = (book: OrderBook) =>
  Effect.gen(function* () {
    const findReorg = yield* reorgFinder
    const stage: Stage = {
      name: ORDER_BOOK,
      waitsFor: "ORDER_BOOK",
      awaited: "the end of the order",
      normalMs: null,
      patienceMs: null,
      step: Effect.fn("OrderBookStage.step")(function* ({ execution, intent, quote, transaction }) {
        if (intent?.type !== "LIMIT_ORDER") return yield* Effect.die(new Error("Only a limit order can be submitted"))
        const currentTransaction = yield* transaction
        const reorgedTransaction = yield* findReorg(currentTransaction)
        if (reorgedTransaction !== null) return reorgedTransaction
        const order = book.orders.get(intent.uid)
        if (order === undefined) {
          const signature = signatureOf(execution.signatures, intent.signData[0]!)
          if (signature === null) return yield* Effect.die(new Error("The order was not signed"))
          book.orders.set(intent.uid, { signature, status: "OPEN", fills: [] })
          return { _tag: "Wait", afterMs: POLL_EVERY_MS } satisfies Step
        }
        const { request, tokens } = swapKind.decode(quote.content!)
        const movementsOfFill = (fill: Fill, leg: number): ReadonlyArray<Movement> => [
          {
            direction: "OUT",
            role: "PRINCIPAL",
            account: quote.walletAddress,
            asset: { chainId: tokens.tokenIn.chainId, token: tokens.tokenIn.address },
            amount: fill.soldAmount,
            usd: null,
            counterparty: book.address,
            leg
          },
          {
            direction: "IN",
            role: "PRINCIPAL",
            account: request.toAddress,
            asset: { chainId: tokens.tokenOut.chainId, token: tokens.tokenOut.address },
            amount: fill.boughtAmount,
            usd: null,
            counterparty: book.address,
            leg
          }
        ]
        const now = yield* DateTime.now
        const isExpired = order.status === "OPEN" && DateTime.isGreaterThan(now, intent.validTo)
        const status = isExpired ? "EXPIRED" : order.status
        const applyFills = (before: Transaction) => withFills(before, execution.at, order.fills, movementsOfFill)
        switch (status) {
          case "OPEN": {
            const recordedLegCount = currentTransaction.legs.filter(
              (leg) => leg.stage === execution.at && leg.hash !== null
            ).length
            return order.fills.length === recordedLegCount
              ? ({ _tag: "Wait", afterMs: POLL_EVERY_MS } satisfies Step)
              : ({
                  _tag: "Stay",
                  state: "null",
                  afterMs: POLL_EVERY_MS,
                  change: (before) => ({ ...applyFills(before), substatus: "PARTIALLY_FILLED" })
                } satisfies Step)
          }
          case "FILLED":
            return {
              _tag: "Next",
              change: (before) => ({ ...applyFills(before), substatus: "FILLED", executedAt: now })
            } satisfies Step
          default:
            return order.fills.length === 0
              ? ({ _tag: "End", change: (before) => ({ ...before, status, substatus: null }) } satisfies Step)
              : ({
                  _tag: "Next",
                  to: FINALITY,
                  change: (before) => ({
                    ...applyFills(before),
                    status: "PARTIALLY_COMPLETED",
                    substatus: status,
                    executedAt: now
                  })
                } satisfies Step)
        }
      })
    }
    return stage
  })
