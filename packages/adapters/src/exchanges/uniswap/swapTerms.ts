import type { Address } from "@countersign/core/foundation/primitives"

/** The terms of an offer whose receiver is on the same chain. */
export interface SwapTerms {
  readonly recipient: Address
  readonly minAmountOut: bigint
  /** Unix seconds. */
  readonly deadline: number
}
