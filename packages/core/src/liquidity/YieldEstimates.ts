import { Context, Effect } from "effect"
import type { EvmChainId } from "../chains/index.ts"
import type { Address, DecimalString } from "../primitives/index.ts"
import type { TickRange } from "./math/index.ts"

/** Liquidity that is to be put into a range of a pool. */
export interface NewLiquidity {
  readonly chainId: EvmChainId
  readonly pool: Address
  readonly range: TickRange
  readonly liquidity: bigint
}

/** What liquidity would earn in percent a year; null where it is not known, as it is where nothing else is provided. */
export const YieldEstimates = Context.Reference<(planned: NewLiquidity) => Effect.Effect<DecimalString | null>>(
  "@countersign/core/liquidity/YieldEstimates",
  { defaultValue: () => () => Effect.succeed(null) }
)
