import type { Ratio } from "../../../foundation/primitives/index.ts"

/** The result of swapping an exact input or output amount in a pool. */
export type SwapOutcome<P> =
  | {
      readonly _tag: "Swapped"
      /** Base units taken from the swapper, fees included. */
      readonly amountIn: bigint
      readonly amountOut: bigint
      /** Number of crossed initialized ticks; zero for a pool without ticks. */
      readonly ticksCrossed: number
      /** The pool after the swap, for computing a further swap. A function, because most swaps are only compared. */
      readonly poolAfter: () => P
      /**
       * The marginal output per input after fees: the derivative of the output at this amount. It decreases with the
       * amount.
       */
      readonly marginalOutput: () => Ratio
    }
  /** The swap leaves the known ticks; this bitmap word comes next. */
  | { readonly _tag: "TicksMissing"; readonly word: number }
  /**
   * The pool's liquidity ends before the amount is swapped. V3 would fill a part and V4 would revert; both have this
   * result.
   */
  | { readonly _tag: "InsufficientLiquidity" }
