import type { Address } from "@countersign/core/foundation/primitives"
import type { PoolKey } from "../pools/index.ts"

/** A pool in a split route, with the direction of its swap. */
export interface PartHop {
  readonly key: PoolKey
  readonly zeroForOne: boolean
  readonly tokenIn: Address
  readonly tokenOut: Address
}

/** A share of the amount, and the pools that it passes through. */
export interface SwapPart {
  /** Base units of the route's input token. */
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly hops: ReadonlyArray<PartHop>
}
