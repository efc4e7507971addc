import type { Address, HexBytes, WalletAddress } from "@countersign/core/foundation/primitives"
import type { RouteFault } from "./RouteFault.ts"

/** The transaction that an aggregator wants to be made, as it is sent: nothing of it is believed. */
export interface RouteTransaction {
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly data: HexBytes
}

/** What the data of such a transaction says that it does. */
export interface RouteCall {
  readonly tokenIn: Address
  /** Null of coin that goes with the call: that is compared by itself. */
  readonly amountIn: bigint | null
  /** The receiver of tokenOut. */
  readonly recipient: WalletAddress
  readonly tokenOut: Address
  /** The least of it that the contracts let happen; null where the data does not tell. */
  readonly minAmountOut: bigint | null
  /** What it does besides and must not. */
  readonly faults: ReadonlyArray<RouteFault>
}

/** Reads the data of a transaction; a fault where it is none of the calls that can be checked. */
export type RouteReader = (data: HexBytes) => RouteCall | RouteFault

export const isFault = (read: RouteCall | RouteFault): read is RouteFault => "kind" in read
