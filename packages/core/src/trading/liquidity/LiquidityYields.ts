import { Context, Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, DecimalString } from "../../foundation/primitives/index.ts"
import type { TickRange } from "./math/index.ts"

/** Liquidity in a price range of a pool. */
export interface PlannedLiquidity {
  readonly range: TickRange
  readonly liquidity: bigint
  /** Whether the pool's liquidity already includes this liquidity. */
  readonly isInPool: boolean
}

/** Estimates the yield in percent per year, from the pool's fees of the last seven days. Null if unknown. */
export type YieldEstimator = (plannedLiquidity: PlannedLiquidity) => DecimalString | null

/**
 * Returns a function that estimates yields in one pool. The pool's data is requested once for all price ranges and
 * amounts.
 */
export const LiquidityYields = Context.Reference<(chainId: EvmChainId, pool: Address) => Effect.Effect<YieldEstimator>>(
  "@countersign/core/liquidity/LiquidityYields",
  { defaultValue: () => () => Effect.succeed(() => null) }
)
