import type { Address } from "@countersign/core/foundation/primitives"

/** The terms of a swap whose receiver is on the same chain. */
export interface SwapTerms {
  readonly recipient: Address
  readonly minAmountOut: bigint
  /** Deadline in Unix seconds. */
  readonly deadline: number
}
