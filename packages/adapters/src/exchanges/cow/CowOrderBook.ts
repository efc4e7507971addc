import type { EvmChainId } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type Address, type HexBytes, MAX_UINT256, maxBigInt, minBigInt } from "@countersign/core/foundation/primitives"
import type { LimitOrderIntent } from "@countersign/core/operations/intents"
import {
  type BookStatus,
  CancellationRefused,
  OrderBook,
  type OrderFill,
  OrderRefused,
  type OrderState,
  orderAmounts
} from "@countersign/core/trading/limit-orders"
import { Effect, Layer, Schema } from "effect"
import { decodeFunctionResult, type Hex } from "viem"
import { cowContracts } from "../../chains/deployments/index.ts"
import {
  addressFromHex,
  bytesFromHex,
  encoderOf,
  hash32FromHex,
  RpcClients,
  readsOfBlock,
  withCanonicalV
} from "../../chains/evm/index.ts"
import { appDataHash } from "./appData.ts"
import { bookedOrders } from "./bookedOrders.ts"
import { type OrderForm, OrdersForm, QuoteForm, TradesForm, UidForm } from "./bookForms.ts"
import { type BookRefusal, type CowApiOptions, cowApi, TITLE } from "./CowApi.ts"
import { cancellationOf } from "./gpv2Order.ts"
import { fillOf } from "./orderFills.ts"
import { settlementAbi } from "./settlementAbi.ts"

const settlementData = encoderOf(settlementAbi)

/** Default of `max-limit-orders-per-user` in CoW's services. */
const LIMIT_ORDERS_PER_WALLET = 10
/** Maximum number of reported trades whose receipts are read. An order book could report any number. */
const MAX_TRADES = 256
/** Maximum number of unsigned orders of a wallet that are looked up in the settlement contract. */
const MAX_UNSIGNED_ORDERS = 20
/** Maximum number of a wallet's orders that are searched for open orders. An order book accepts fewer open orders. */
const MAX_ORDERS_READ = 1_000

const statusOf: { readonly [Word in OrderForm["status"]]: BookStatus } = {
  presignaturePending: "UNSIGNED",
  open: "OPEN",
  fulfilled: "FILLED",
  cancelled: "CANCELLED",
  expired: "EXPIRED"
}

/** Temporary rejections: they end once the order book's node has processed the block of the preceding operation. */
const temporaryRefusals: ReadonlySet<string> = new Set([
  "InsufficientAllowance",
  "InsufficientBalance",
  "InvalidEip1271Signature",
  "TransferSimulationFailed"
])

const schemeOf = { EIP712: "eip712", EIP1271: "eip1271", PRESIGN: "presign" } as const

/** Rejections of a quote request which mean that currently no solver trades the tokens. */
const noMarketErrors: ReadonlySet<string> = new Set([
  "NoLiquidity",
  "InsufficientLiquidity",
  "SellAmountDoesNotCoverFee"
])

const cancellationRefusalReasons: Readonly<Record<string, string>> = {
  OrderFullyExecuted: "it has been filled in the meantime.",
  OrderExpired: "it has expired.",
  OrderNotFound: "the order book does not have it yet. Try again shortly.",
  OnChainOrder: "a contract signs for the wallet, so the order must be cancelled on-chain."
}

const requireOrder = ({ order, uid }: LimitOrderIntent) => {
  if (order === undefined) throw new Error(`The order ${uid} belongs to another order book`)
  return order
}

const refusalOf = ({ description, errorType }: BookRefusal) =>
  new OrderRefused({ code: errorType, reason: description, isForNow: temporaryRefusals.has(errorType) })

const sumOf = (fills: ReadonlyArray<OrderFill>): bigint => fills.reduce((sum, { sold }) => sum + sold, 0n)

/** Accesses CoW Protocol's order books over their HTTP API, and GPv2Settlement over the chains' nodes. */
export const layer = (options: CowApiOptions): Layer.Layer<OrderBook, never, RpcClients> =>
  Layer.effect(
    OrderBook,
    Effect.gen(function* () {
      const api = cowApi(options)
      const { sendRequest } = api
      const findBookedOrder = bookedOrders(api)
      const rpc = yield* RpcClients

      /**
       * Reads the value that the settlement contract has stored for an order, and the timestamp of the block whose
       * state was read.
       */
      const settlementValue = (chainId: EvmChainId, functionName: "filledAmount" | "preSignature", uid: HexBytes) =>
        rpc.call(chainId, async (client) => {
          const callData = settlementData(functionName, [uid])
          const reads = readsOfBlock(chainId, [{ target: cowContracts.settlement, callData }])
          const { responses, timestamp } = reads.decode(
            await client.request({ method: "eth_call", params: [reads.call, "latest"] })
          )
          const value = decodeFunctionResult({ abi: settlementAbi, functionName, data: responses[0]!.returnData })
          return { timestamp, value }
        })

      /** Reads the sold amount. An invalidated order has a special value. */
      const filledAmount = ({ chainId, uid }: LimitOrderIntent) => settlementValue(chainId, "filledAmount", uid)

      /** Whether the owner has signed the order on-chain. */
      const isPreSigned = (chainId: EvmChainId, uid: HexBytes) =>
        Effect.map(settlementValue(chainId, "preSignature", uid), ({ value }) => value !== 0n)

      const fillsOf = Effect.fnUntraced(function* (intent: LimitOrderIntent) {
        const { chainId, uid } = intent
        const trades = yield* sendRequest(
          chainId,
          { method: "GET", path: `/api/v2/trades?orderUid=${uid}&limit=${MAX_TRADES}` },
          TradesForm
        ).pipe(Effect.catchTag("BOOK_REFUSAL", () => Effect.succeed([])))
        const hashes = new Set(trades.flatMap(({ txHash }) => (txHash === null ? [] : [hash32FromHex(txHash)])))
        const fills = yield* Effect.forEach(
          [...hashes].slice(0, MAX_TRADES),
          (hash) => rpc.call(chainId, () => fillOf(rpc, intent, hash)),
          {
            concurrency: 4
          }
        )
        return fills
          .filter((fill): fill is OrderFill => fill !== null)
          .sort((a, b) => Number(a.block.number - b.block.number))
      })

      return OrderBook.of({
        readMarketPrice: Effect.fn("OrderBook.marketPrice")(function* ({ chainId, owner, ...terms }) {
          const body = {
            sellToken: terms.sellToken,
            buyToken: terms.buyToken,
            receiver: terms.receiver,
            from: owner,
            kind: "sell",
            sellAmountBeforeFee: String(terms.sellAmount),
            // With the fast mode, solvers need not prove the price.
            priceQuality: "fast"
          }
          return yield* sendRequest(
            chainId,
            { method: "POST", path: "/api/v1/quote", body, isReadOnly: true },
            QuoteForm
          ).pipe(
            Effect.map(({ quote }): bigint | null => BigInt(quote.buyAmount)),
            Effect.catchTag("BOOK_REFUSAL", (refusal) =>
              noMarketErrors.has(refusal.errorType) ? Effect.succeed(null) : Effect.fail(refusalOf(refusal))
            )
          )
        }),
        place: Effect.fn("OrderBook.place")(function* (intent, signature) {
          const { appData, owner, scheme, typedData } = requireOrder(intent)
          const body = {
            ...typedData.message,
            appData,
            appDataHash: appDataHash(appData),
            signingScheme: schemeOf[scheme],
            signature: signature === null ? "0x" : withCanonicalV(signature),
            from: owner
          }
          yield* sendRequest(intent.chainId, { method: "POST", path: "/api/v1/orders", body }, UidForm).pipe(
            Effect.catchTag("BOOK_REFUSAL", (refusal) =>
              refusal.errorType === "DuplicatedOrder" ? Effect.succeed(intent.uid) : Effect.fail(refusalOf(refusal))
            ),
            Effect.flatMap((uid) =>
              uid.toLowerCase() === intent.uid
                ? Effect.void
                : Effect.fail(
                    new OrderRefused({
                      code: "OtherOrder",
                      reason: "it returned the id of another order",
                      isForNow: false
                    })
                  )
            )
          )
        }),
        readOrderState: Effect.fn("OrderBook.orderState")(function* (intent) {
          const [{ timestamp, value: contractFilledAmount }, booked] = yield* Effect.all(
            [filledAmount(intent), findBookedOrder(intent.chainId, intent.uid)],
            {
              concurrency: 2
            }
          )
          const isInvalidated = contractFilledAmount === MAX_UINT256
          // For an invalidated order the settlement contract no longer stores the filled amount.
          if (isInvalidated && booked === "UNAVAILABLE") {
            return yield* new UpstreamUnavailable({ upstream: TITLE, reason: "the request for the order failed" })
          }
          const order = booked === "UNAVAILABLE" ? null : booked
          const fills = contractFilledAmount === 0n ? [] : yield* fillsOf(intent)
          const soldAmount = isInvalidated ? BigInt(order?.executedSellAmount ?? "0") : contractFilledAmount
          return {
            blockTimestamp: timestamp,
            book: order === null ? "UNKNOWN" : statusOf[order.status],
            fills,
            // If the order book returns no order, the filled amount of an invalidated order is unknown.
            areAllFills: sumOf(fills) === soldAmount && !(isInvalidated && order === null),
            isFilled: !isInvalidated && contractFilledAmount >= orderAmounts(intent).sellAmount,
            isInvalidated
          } satisfies OrderState
        }),
        buildCancellation: (intent) => ({
          element: cancellationOf(intent.chainId, intent.uid),
          isTaken: requireOrder(intent).scheme === "EIP712"
        }),
        cancel: Effect.fn("OrderBook.cancel")(function* ({ chainId, uid }, signature) {
          const body = { orderUids: [uid], signature: withCanonicalV(signature), signingScheme: "eip712" }
          yield* sendRequest(chainId, { method: "DELETE", path: "/api/v1/orders", body }, Schema.Unknown).pipe(
            Effect.catchTag("BOOK_REFUSAL", ({ description, errorType }) =>
              errorType === "AlreadyCancelled"
                ? Effect.void
                : Effect.fail(
                    new CancellationRefused({
                      reason:
                        cancellationRefusalReasons[errorType] ??
                        `the order book rejected it (${errorType}): ${description}`
                    })
                  )
            )
          )
        }),
        buildInvalidation: ({ uid }) => ({
          to: cowContracts.settlement,
          value: 0n,
          data: settlementData("invalidateOrder", [uid]),
          summary: "Cancel the limit order"
        }),
        readOpenOrders: Effect.fn("OrderBook.openOrders")(function* (chainId, owner) {
          const orders = yield* sendRequest(
            chainId,
            { method: "GET", path: `/api/v1/account/${owner}/orders?limit=${MAX_ORDERS_READ}` },
            OrdersForm
          ).pipe(
            Effect.catchTag("BOOK_REFUSAL", ({ description, errorType }) =>
              Effect.fail(
                new UpstreamUnavailable({
                  upstream: TITLE,
                  reason: `${errorType}: ${description}`
                })
              )
            )
          )
          // Anyone can add an unsigned order for any owner, so it counts only if the owner has signed it on-chain.
          const unsignedOrders = orders.filter(({ status }) => status === "presignaturePending")
          const signedFlags = yield* Effect.forEach(
            unsignedOrders.slice(0, MAX_UNSIGNED_ORDERS),
            ({ uid }) => isPreSigned(chainId, bytesFromHex(uid as Hex)),
            { concurrency: "unbounded" }
          )
          const openOrders = [
            ...orders.filter(({ status }) => status === "open"),
            ...unsignedOrders.filter((_, index) => signedFlags[index] === true)
          ]
          const remainingAmounts = new Map<Address, bigint>()
          for (const { executedSellAmount, sellAmount, sellToken } of openOrders) {
            const token = addressFromHex(sellToken)
            const remainingAmount = maxBigInt(0n, BigInt(sellAmount) - BigInt(executedSellAmount))
            remainingAmounts.set(token, minBigInt(MAX_UINT256, (remainingAmounts.get(token) ?? 0n) + remainingAmount))
          }
          return { count: openOrders.length, limit: LIMIT_ORDERS_PER_WALLET, remaining: remainingAmounts }
        })
      })
    })
  )
