import type { Address, HexBytes, WalletAddress } from "@countersign/core/foundation/primitives"
import type { RouteFault } from "./RouteFault.ts"

/** The transaction that an aggregator returned. It is not trusted. */
export interface RouteTransaction {
  readonly to: Address
  /** Wei. */
  readonly value: bigint
  readonly data: HexBytes
}

/** The effects of an aggregator's transaction, decoded from its data. */
export interface RouteCall {
  readonly tokenIn: Address
  /** Null for the native token, because its amount is checked separately. */
  readonly amountIn: bigint | null
  /** The receiver of tokenOut. */
  readonly recipient: WalletAddress
  readonly tokenOut: Address
  /** The minimum output that the contracts enforce; null if the data do not contain it. */
  readonly minAmountOut: bigint | null
  /** Additional effects that are forbidden. */
  readonly faults: ReadonlyArray<RouteFault>
}

/** Decodes the data of a transaction. Returns a fault if the data are not a supported call. */
export type RouteReader = (data: HexBytes) => RouteCall | RouteFault

export const isFault = (read: RouteCall | RouteFault): read is RouteFault => "kind" in read
