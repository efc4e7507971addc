import type { Address } from "@countersign/core/foundation/primitives"
import type { PoolKey } from "../pools/index.ts"

/** A pool in a part of a swap, with its direction. */
export interface PartHop {
  readonly key: PoolKey
  readonly zeroForOne: boolean
  readonly tokenIn: Address
  readonly tokenOut: Address
}

/** A part of the amount, with its pools. */
export interface SwapPart {
  /** Base units of the route's tokenIn. */
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly hops: ReadonlyArray<PartHop>
}
