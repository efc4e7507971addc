import { Context, Effect } from "effect"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address, DecimalString } from "../../foundation/primitives/index.ts"
import type { TickRange } from "./math/index.ts"

/** Liquidity in a range of a pool. */
export interface PlannedLiquidity {
  readonly range: TickRange
  readonly liquidity: bigint
  /** Whether the pool already includes it. */
  readonly isInPool: boolean
}

/** The yield in percent per year, from the pool's fees of the last seven days; null if not known. */
export type YieldOf = (planned: PlannedLiquidity) => DecimalString | null

/** The yield of liquidity in pools. One request serves all ranges and amounts of a pool. */
export const LiquidityYields = Context.Reference<(chainId: EvmChainId, pool: Address) => Effect.Effect<YieldOf>>(
  "@countersign/core/liquidity/LiquidityYields",
  { defaultValue: () => () => Effect.succeed(() => null) }
)
