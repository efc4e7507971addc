import type { Address, HexBytes, WalletAddress } from "@countersign/core/foundation/primitives"
import type { RouteFault } from "./RouteFault.ts"

/** A transaction that an aggregator returned. It must be verified before it is used. */
export interface RouteTransaction {
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly data: HexBytes
}

/** The effects of an aggregator's transaction, decoded from its calldata. */
export interface RouteCall {
  readonly tokenIn: Address
  /**
   * Null if the calldata contain no amount: for the native token it may be the transaction's value, which is verified
   * separately.
   */
  readonly amountIn: bigint | null
  /** Receiver of the output. */
  readonly recipient: WalletAddress
  readonly tokenOut: Address
  /** Minimum output that the contracts enforce; null if the calldata contain none. */
  readonly minAmountOut: bigint | null
  /** Other effects of the call, all of which are forbidden. */
  readonly faults: ReadonlyArray<RouteFault>
}

/** Decodes the calldata of a transaction. Returns a fault if they are not a supported call. */
export type RouteReader = (data: HexBytes) => RouteCall | RouteFault

export const isFault = (read: RouteCall | RouteFault): read is RouteFault => "kind" in read
