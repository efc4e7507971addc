import type { Ratio } from "../../../foundation/primitives/index.ts"

/** The result of an exact amount, in or out, in a pool. */
export type SwapOutcome<P> =
  | {
      readonly _tag: "Swapped"
      /** Base units taken from the swapper, fees included. */
      readonly amountIn: bigint
      readonly amountOut: bigint
      /** Initialized ticks on the way; zero for a pool without ticks. */
      readonly ticksCrossed: number
      /** The pool after the swap, on which a further swap can be computed. A function, because most swaps are only compared. */
      readonly poolAfter: () => P
      /** Output for the next bit of input, after fees: the slope of the output at this amount. Falls as amounts grow. */
      readonly marginalOutput: () => Ratio
    }
  /** The swap leaves the ticks that were read; this bitmap word comes next. */
  | { readonly _tag: "TicksMissing"; readonly word: number }
  /** The pool's liquidity ends before the amount is swapped. Where V3 would fill a part and V4 revert, this is the answer for both. */
  | { readonly _tag: "InsufficientLiquidity" }
