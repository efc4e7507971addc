import type { Ratio } from "../../../foundation/primitives/index.ts"

/** The result of swapping an exact input or output amount in a pool. */
export type SwapOutcome<P> =
  | {
      readonly _tag: "Swapped"
      /** The input in base units, including fees. */
      readonly amountIn: bigint
      readonly amountOut: bigint
      /** Number of initialized ticks that the swap crosses. Zero for a pool without ticks. */
      readonly ticksCrossed: number
      /** Returns the pool after the swap, for further swaps. It is a function because most swaps are only compared. */
      readonly poolAfter: () => P
      /**
       * Returns the marginal output after fees: the derivative of the output with respect to the input, at this amount.
       * It decreases as the amount grows.
       */
      readonly marginalOutput: () => Ratio
    }
  /** The swap needs ticks that were not read. `word` is the next bitmap word that it needs. */
  | { readonly _tag: "TicksMissing"; readonly word: number }
  /**
   * The pool's liquidity is too low for the amount. V3 would swap a part of the amount, V4 would revert. Both are this
   * result.
   */
  | { readonly _tag: "InsufficientLiquidity" }
