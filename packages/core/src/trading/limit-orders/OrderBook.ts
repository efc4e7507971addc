import { Context, type Effect, Schema } from "effect"
import type { BlockRef } from "../../accounting/history/index.ts"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Address, Hash32, HexBytes, WalletAddress } from "../../foundation/primitives/index.ts"
import type { SignData } from "../../foundation/signing/index.ts"
import type { IncomingTransfer } from "../../operations/executions/index.ts"
import type { LimitOrderIntent } from "../../operations/intents/index.ts"
import type { Call } from "../../operations/user-operations/index.ts"

/** The book takes no such order, or does not take it now. */
export class OrderRefused extends Schema.TaggedError<OrderRefused>("core/limit-orders/OrderRefused")("ORDER_REFUSED", {
  /** In the book's own word. */
  code: Schema.String,
  reason: Schema.String,
  /** Whether the same order could be taken later, such as once the book has seen the block of its allowance. */
  isForNow: Schema.Boolean
}) {
  override get message(): string {
    return `The order book refused the order: ${this.reason} (${this.code})`
  }
}

/** The book cancels no such order. */
export class CancellationRefused extends Schema.TaggedError<CancellationRefused>(
  "core/limit-orders/CancellationRefused"
)("CANCELLATION_REFUSED", { reason: Schema.String }) {
  override get message(): string {
    return this.reason
  }
}

/** The sold and the bought token of an order. */
export type FillSide = "sold" | "bought"

/** Transfers of a fill's transaction to or from one account, among them the fill's own. */
export interface FillTransfers {
  readonly account: WalletAddress
  readonly transfers: ReadonlyArray<IncomingTransfer>
  /** The fill's amount. */
  readonly amount: bigint
}

/** A part of an order, or all of it, in a block. Amounts are in base units of the order's two tokens. */
export interface OrderFill {
  readonly hash: Hash32
  readonly block: BlockRef
  /** Unix seconds. */
  readonly timestamp: number
  readonly sold: bigint
  readonly bought: bigint
  readonly transfers: Readonly<Record<FillSide, FillTransfers>>
}

/** How the book has an order: UNSIGNED until its wallet signs it on chain, UNKNOWN where the book does not have it. */
export type BookStatus = "UNKNOWN" | "UNSIGNED" | "OPEN" | "FILLED" | "CANCELLED" | "EXPIRED"

/** An order as its chain has it, beside what its book says. */
export interface OrderState {
  readonly book: BookStatus
  /** By receipts of the chain, oldest first. */
  readonly fills: ReadonlyArray<OrderFill>
  /** Whether these are all that the chain counts as filled. */
  readonly areAllFills: boolean
  /** Whether nothing of it is left, by the chain. */
  readonly isFilled: boolean
  /** Whether the chain takes it no more because its owner said so. */
  readonly isInvalidated: boolean
}

/** The orders of a wallet that wait in a book. */
export interface OpenOrders {
  readonly count: number
  /** Of these, how many the book takes of one wallet while they are away from the market's price. */
  readonly limit: number
  /** What they can still take of the wallet, by token. */
  readonly remaining: ReadonlyMap<Address, bigint>
}

/** An amount that would be sold at once. */
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
  /** False for a wallet that is a contract: it cancels on chain. */
  readonly isTaken: boolean
}

/** A book of limit orders and the contract that settles them. What happened to an order is the chain's word, never the book's. */
export class OrderBook extends Context.Service<
  OrderBook,
  {
    /** What the book expects of the market for it now, after the network's costs; null where there is no market. */
    readonly marketPrice: (request: MarketRequest) => Effect.Effect<bigint | null, OrderRefused | UpstreamUnavailable>
    /** Hands a signed order in; null for a signature that its wallet gives on chain. One that the book has already is fine. */
    readonly place: (
      intent: LimitOrderIntent,
      signature: HexBytes | null
    ) => Effect.Effect<void, OrderRefused | UpstreamUnavailable>
    readonly look: (intent: LimitOrderIntent) => Effect.Effect<OrderState, UpstreamUnavailable>
    /** What an owner signs so that the book drops the order, and whether the book takes that signature of its wallet. */
    readonly cancellation: (intent: LimitOrderIntent) => OrderCancellation
    /** One that is cancelled already is fine. */
    readonly cancel: (
      intent: LimitOrderIntent,
      signature: HexBytes
    ) => Effect.Effect<void, CancellationRefused | UpstreamUnavailable>
    /** The wallet's call after which the chain takes the order no more. */
    readonly invalidation: (intent: LimitOrderIntent) => Call
    readonly openOrders: (chainId: EvmChainId, owner: Address) => Effect.Effect<OpenOrders, UpstreamUnavailable>
  }
>()("@countersign/core/limit-orders/OrderBook") {}
