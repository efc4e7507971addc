import { YieldEstimates } from "@countersign/core/liquidity"
import { LiquidityPools } from "@countersign/core/pools"
import { Effect, Layer } from "effect"

/** What deposits would earn, by the statistics of their pools. A quote does without where a pool can't be read. */
export const layerYieldEstimates = Layer.effect(
  YieldEstimates,
  Effect.map(
    LiquidityPools,
    (pools) =>
      ({ chainId, liquidity, pool, range }) =>
        pools
          .estimatedApr({ chainId, address: pool }, { range, liquidity, isInPool: false })
          .pipe(Effect.orElseSucceed(() => null))
  )
).pipe(Layer.provide(LiquidityPools.layer))
