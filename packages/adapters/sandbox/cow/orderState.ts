import type { SandboxChain } from "../network/SandboxChain.ts"
import type { BookedOrder } from "./BookedOrders.ts"
import { isPresignedOn, readInvalidatedUids, type SettledTrade, tradesOf } from "./settlementChain.ts"

export type OrderStatus = "presignaturePending" | "open" | "fulfilled" | "cancelled" | "expired"

/** The chain state that determines the status of orders. */
export interface ChainView {
  readonly trades: ReadonlyArray<SettledTrade>
  readonly invalidated: ReadonlySet<string>
  readonly nowSeconds: number
}

export interface OrderState {
  readonly status: OrderStatus
  readonly soldAmount: bigint
  readonly boughtAmount: bigint
  readonly isInvalidated: boolean
}

export const viewOf = async (chain: SandboxChain, nowSeconds: number): Promise<ChainView> => {
  const [trades, invalidatedUids] = await Promise.all([tradesOf(chain), readInvalidatedUids(chain)])
  return { trades, invalidated: invalidatedUids, nowSeconds }
}

/**
 * Returns the first status that applies, in the order of CoW's services: filled, cancelled, expired, unsigned, open.
 */
export const stateOf = async (
  chain: SandboxChain,
  { isDropped, order, signingScheme, uid }: BookedOrder,
  { invalidated, nowSeconds, trades }: ChainView
): Promise<OrderState> => {
  const ownTrades = trades.filter(({ orderUid }) => orderUid === uid)
  const soldAmount = ownTrades.reduce((sum, { sellAmount }) => sum + sellAmount, 0n)
  const boughtAmount = ownTrades.reduce((sum, { buyAmount }) => sum + buyAmount, 0n)
  const isInvalidated = invalidated.has(uid)
  const status = async (): Promise<OrderStatus> => {
    if (soldAmount >= BigInt(order.sellAmount)) return "fulfilled"
    if (isDropped || isInvalidated) return "cancelled"
    if (nowSeconds > order.validTo) return "expired"
    if (signingScheme === "presign" && !(await isPresignedOn(chain, uid))) return "presignaturePending"
    return "open"
  }
  return { status: await status(), soldAmount, boughtAmount, isInvalidated }
}
