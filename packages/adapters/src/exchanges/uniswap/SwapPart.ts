import type { Address } from "@countersign/core/foundation/primitives"
import type { PoolKey } from "../pools/index.ts"

/** A pool that a part of a swap goes through, and its direction. */
export interface PartHop {
  readonly key: PoolKey
  readonly zeroForOne: boolean
  readonly tokenIn: Address
  readonly tokenOut: Address
}

/** A part of the amount, and the pools that it goes through. */
export interface SwapPart {
  /** Base units of the route's tokenIn. */
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly hops: ReadonlyArray<PartHop>
}
