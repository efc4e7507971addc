import { Context, Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, DecimalString } from "../../foundation/primitives/index.ts"
import type { TickRange } from "./math/index.ts"

/** Liquidity in a range of a pool. */
export interface PlannedLiquidity {
  readonly range: TickRange
  readonly liquidity: bigint
  /** Whether the pool's liquidity already includes it. */
  readonly isInPool: boolean
}

/** The yield in percent per year, based on the pool's fees in the last seven days; null if unknown. */
export type YieldOf = (planned: PlannedLiquidity) => DecimalString | null

/** The yield of liquidity in pools. One request is enough for all ranges and amounts of a pool. */
export const LiquidityYields = Context.Reference<(chainId: EvmChainId, pool: Address) => Effect.Effect<YieldOf>>(
  "@countersign/core/liquidity/LiquidityYields",
  { defaultValue: () => () => Effect.succeed(() => null) }
)
