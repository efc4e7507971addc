import { Context, type Effect, Schema } from "effect"
import type { BlockRef } from "../../accounting/history/index.ts"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Hash32, HexBytes, WalletAddress } from "../../foundation/primitives/index.ts"
import type { SignData } from "../../foundation/signing/index.ts"
import type { IncomingTransfer } from "../../operations/executions/index.ts"
import type { LimitOrderIntent } from "../../operations/intents/index.ts"
import type { Call } from "../../operations/user-operations/index.ts"

/** The order book rejects the order, permanently or temporarily. */
export class OrderRefused extends Schema.TaggedError<OrderRefused>("core/limit-orders/OrderRefused")("ORDER_REFUSED", {
  /** The order book's error code. */
  code: Schema.String,
  reason: Schema.String,
  /** Whether the order book could accept the order later, for example after it has seen the block of the approval. */
  isForNow: Schema.Boolean
}) {
  override get message(): string {
    return `The order book refused the order: ${this.reason} (${this.code})`
  }
}

/** The order book rejects the cancellation. */
export class CancellationRefused extends Schema.TaggedError<CancellationRefused>(
  "core/limit-orders/CancellationRefused"
)("CANCELLATION_REFUSED", { reason: Schema.String }) {
  override get message(): string {
    return this.reason
  }
}

/** The sold and the bought token of an order. */
export type FillSide = "sold" | "bought"

/** Transfers to or from one account in the transaction of a fill, including the fill's own transfer. */
export interface FillTransfers {
  readonly account: WalletAddress
  readonly transfers: ReadonlyArray<IncomingTransfer>
  /** The fill's amount. */
  readonly amount: bigint
}

/** A complete or partial fill of an order in a block. Amounts are in base units of the order's tokens. */
export interface OrderFill {
  readonly hash: Hash32
  readonly block: BlockRef
  /** Unix seconds. */
  readonly timestamp: number
  readonly sold: bigint
  readonly bought: bigint
  readonly transfers: Readonly<Record<FillSide, FillTransfers>>
}

/** The status in the order book. UNSIGNED: the wallet must sign on-chain. UNKNOWN: the order book does not have it. */
export type BookStatus = "UNKNOWN" | "UNSIGNED" | "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED"

/** The on-chain state of an order, with the order book's status. */
export interface OrderState {
  readonly book: BookStatus
  /** The fills according to on-chain receipts, oldest first. */
  readonly fills: ReadonlyArray<OrderFill>
  /** Whether these fills sum to the filled amount on-chain. */
  readonly areAllFills: boolean
  /** Whether the order is completely filled on-chain. */
  readonly isFilled: boolean
  /** Whether the owner has invalidated the order on-chain. */
  readonly isInvalidated: boolean
}

/** A wallet's open orders in an order book. */
export interface OpenOrders {
  readonly count: number
  /** The maximum number of a wallet's orders that are not close to the market price. */
  readonly limit: number
  /** The unfilled amounts of the open orders, by token. */
  readonly remaining: ReadonlyMap<Address, bigint>
}

/** A request for the price of an immediate sale. */
export interface MarketRequest {
  readonly chainId: EvmChainId
  readonly owner: Address
  readonly receiver: Address
  readonly sellToken: Address
  readonly buyToken: Address
  readonly sellAmount: bigint
}

export interface OrderCancellation {
  readonly element: SignData
  /** Whether the order book accepts the signature. False for a contract wallet, which must cancel on-chain. */
  readonly isTaken: boolean
}

/** An order book and its settlement contract. Fills and invalidations are read only from the chain. */
export class OrderBook extends Context.Service<
  OrderBook,
  {
    /** The order book's current estimate of the output, after network costs; null if there is no market. */
    readonly marketPrice: (request: MarketRequest) => Effect.Effect<bigint | null, OrderRefused | UpstreamUnavailable>
    /** Submits a signed order; `signature` is null if the wallet signs on-chain. Succeeds for an existing order. */
    readonly place: (
      intent: LimitOrderIntent,
      signature: HexBytes | null
    ) => Effect.Effect<void, OrderRefused | UpstreamUnavailable>
    readonly orderState: (intent: LimitOrderIntent) => Effect.Effect<OrderState, UpstreamUnavailable>
    /** The data that an owner signs to cancel the order, and whether the order book accepts the signature. */
    readonly cancellation: (intent: LimitOrderIntent) => OrderCancellation
    /** Also succeeds if the order is already cancelled. */
    readonly cancel: (
      intent: LimitOrderIntent,
      signature: HexBytes
    ) => Effect.Effect<void, CancellationRefused | UpstreamUnavailable>
    /** The wallet's call that invalidates the order on-chain. */
    readonly invalidation: (intent: LimitOrderIntent) => Call
    readonly openOrders: (chainId: EvmChainId, owner: Address) => Effect.Effect<OpenOrders, UpstreamUnavailable>
  }
>()("@countersign/core/limit-orders/OrderBook") {}
