import { Context, type Effect, Schema } from "effect"
import type { BlockRef } from "../../accounting/history/index.ts"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Hash32, HexBytes, WalletAddress } from "../../foundation/primitives/index.ts"
import type { SignData } from "../../foundation/signing/index.ts"
import type { IncomingTransfer } from "../../operations/executions/index.ts"
import type { LimitOrderIntent } from "../../operations/intents/index.ts"
import type { Call } from "../../operations/user-operations/index.ts"

/** The order book rejects the order, permanently or at present. */
export class OrderRefused extends Schema.TaggedError<OrderRefused>("core/limit-orders/OrderRefused")("ORDER_REFUSED", {
  /** The order book's error code. */
  code: Schema.String,
  reason: Schema.String,
  /** Whether the same order could be accepted later, such as once the order book has seen the block of its approval. */
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

/** Transfers to or from one account in a fill's transaction, including the fill's own. */
export interface FillTransfers {
  readonly account: WalletAddress
  readonly transfers: ReadonlyArray<IncomingTransfer>
  /** The fill's amount. */
  readonly amount: bigint
}

/** A complete or partial fill of an order in a block. Amounts are in base units of the order's two tokens. */
export interface OrderFill {
  readonly hash: Hash32
  readonly block: BlockRef
  /** Unix seconds. */
  readonly timestamp: number
  readonly sold: bigint
  readonly bought: bigint
  readonly transfers: Readonly<Record<FillSide, FillTransfers>>
}

/** The order book's status: UNSIGNED until its wallet signs it on-chain, UNKNOWN if the order book does not have it. */
export type BookStatus = "UNKNOWN" | "UNSIGNED" | "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED"

/** The on-chain state of an order, with the order book's status. */
export interface OrderState {
  readonly book: BookStatus
  /** From on-chain receipts, oldest first. */
  readonly fills: ReadonlyArray<OrderFill>
  /** Whether these sum to the filled amount on-chain. */
  readonly areAllFills: boolean
  /** Whether it is completely filled on-chain. */
  readonly isFilled: boolean
  /** Whether its owner has invalidated it on-chain. */
  readonly isInvalidated: boolean
}

/** A wallet's open orders in an order book. */
export interface OpenOrders {
  readonly count: number
  /** The maximum number of such orders per wallet while they are away from the market price. */
  readonly limit: number
  /** Their unfilled amounts, by token. */
  readonly remaining: ReadonlyMap<Address, bigint>
}

/** An amount for an immediate sale. */
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
  /** Whether the order book accepts the signature. False for a contract wallet, which cancels on-chain. */
  readonly isTaken: boolean
}

/**
 * An order book with its settlement contract. Fills and invalidations are read from the chain, never from the order
 * book.
 */
export class OrderBook extends Context.Service<
  OrderBook,
  {
    /** The order book's expected output at present, after network costs; null without a market. */
    readonly marketPrice: (request: MarketRequest) => Effect.Effect<bigint | null, OrderRefused | UpstreamUnavailable>
    /** Submits a signed order; null for a signature that the wallet gives on-chain. Succeeds for an existing order. */
    readonly place: (
      intent: LimitOrderIntent,
      signature: HexBytes | null
    ) => Effect.Effect<void, OrderRefused | UpstreamUnavailable>
    readonly look: (intent: LimitOrderIntent) => Effect.Effect<OrderState, UpstreamUnavailable>
    /** The data that an owner signs to cancel the order, and whether the order book accepts this wallet's signature. */
    readonly cancellation: (intent: LimitOrderIntent) => OrderCancellation
    /** Succeeds for an order that is already cancelled. */
    readonly cancel: (
      intent: LimitOrderIntent,
      signature: HexBytes
    ) => Effect.Effect<void, CancellationRefused | UpstreamUnavailable>
    /** The wallet's call that invalidates the order on-chain. */
    readonly invalidation: (intent: LimitOrderIntent) => Call
    readonly openOrders: (chainId: EvmChainId, owner: Address) => Effect.Effect<OpenOrders, UpstreamUnavailable>
  }
>()("@countersign/core/limit-orders/OrderBook") {}
