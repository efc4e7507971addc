import type { Ratio } from "../../../foundation/primitives/index.ts"

/** The result of swapping an exact input or output amount in a pool. */
export type SwapOutcome<P> =
  | {
      readonly _tag: "Swapped"
      /** The input in base units, including fees. */
      readonly amountIn: bigint
      readonly amountOut: bigint
      /** Number of crossed initialized ticks; zero for a pool without ticks. */
      readonly ticksCrossed: number
      /** The pool after the swap, for further swaps. It is a function, because most swaps are only compared. */
      readonly poolAfter: () => P
      /**
       * The marginal output per input after fees, which is the derivative of the output at this amount. It decreases
       * with the amount.
       */
      readonly marginalOutput: () => Ratio
    }
  /** The swap needs ticks that were not read. `word` is the next bitmap word. */
  | { readonly _tag: "TicksMissing"; readonly word: number }
  /**
   * The pool's liquidity is too low for the amount. V3 would swap a part and V4 would revert; this result represents
   * both.
   */
  | { readonly _tag: "InsufficientLiquidity" }
