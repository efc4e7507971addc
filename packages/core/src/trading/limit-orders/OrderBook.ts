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
  /** Whether a retry may succeed, for example after the order book has seen the block of the approval. */
  isForNow: Schema.Boolean
}) {
  override get message(): string {
    return `The order book rejected the order: ${this.reason} (${this.code})`
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

/** The token of an order that a transfer moves: the sold or the bought one. */
export type FillSide = "sold" | "bought"

/**
 * All transfers of one of the order's tokens to or from one account in a fill's transaction, including those that
 * belong to the fill.
 */
export interface FillTransfers {
  readonly account: WalletAddress
  readonly transfers: ReadonlyArray<IncomingTransfer>
  /** The amount that the fill moved. */
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

/**
 * The order's status in the order book. UNSIGNED: the wallet must sign on-chain. UNKNOWN: the order book does not have
 * the order.
 */
export type BookStatus = "UNKNOWN" | "UNSIGNED" | "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED"

/** The on-chain state of an order, and its status in the order book. */
export interface OrderState {
  /** The timestamp of the block whose state was read, in Unix seconds. */
  readonly blockTimestamp: number
  readonly book: BookStatus
  /** The fills that on-chain receipts prove, oldest first. */
  readonly fills: ReadonlyArray<OrderFill>
  /** Whether the amounts of `fills` add up to the filled amount on-chain. */
  readonly areAllFills: boolean
  /** Whether the order is completely filled on-chain. */
  readonly isFilled: boolean
  /** Whether the owner has invalidated the order on-chain. */
  readonly isInvalidated: boolean
}

/** A wallet's open orders in an order book. */
export interface OpenOrders {
  readonly count: number
  /** Maximum number of a wallet's open orders whose limit the market price does not reach yet. */
  readonly limit: number
  /** The unfilled amounts of all open orders, by sold token. */
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
  /**
   * Whether the order book accepts a cancellation signature. False for a contract wallet, which must cancel on-chain.
   */
  readonly isTaken: boolean
}

/**
 * An order book and its settlement contract. Fills and invalidations are read from the chain, not from the order book.
 */
export class OrderBook extends Context.Service<
  OrderBook,
  {
    /** Returns the order book's current estimate of the output, after network costs. Null if there is no market. */
    readonly readMarketPrice: (
      request: MarketRequest
    ) => Effect.Effect<bigint | null, OrderRefused | UpstreamUnavailable>
    /**
     * Submits a signed order. `signature` is null if the wallet signs on-chain. Also succeeds if the order book already
     * has the order.
     */
    readonly place: (
      intent: LimitOrderIntent,
      signature: HexBytes | null
    ) => Effect.Effect<void, OrderRefused | UpstreamUnavailable>
    readonly readOrderState: (intent: LimitOrderIntent) => Effect.Effect<OrderState, UpstreamUnavailable>
    /** Returns the data that the owner signs to cancel the order. */
    readonly buildCancellation: (intent: LimitOrderIntent) => OrderCancellation
    /** Cancels an order in the order book. Also succeeds if the order is already cancelled. */
    readonly cancel: (
      intent: LimitOrderIntent,
      signature: HexBytes
    ) => Effect.Effect<void, CancellationRefused | UpstreamUnavailable>
    /** Builds the wallet's call that invalidates the order on-chain. */
    readonly buildInvalidation: (intent: LimitOrderIntent) => Call
    readonly readOpenOrders: (chainId: EvmChainId, owner: Address) => Effect.Effect<OpenOrders, UpstreamUnavailable>
  }
>()("@countersign/core/limit-orders/OrderBook") {}
