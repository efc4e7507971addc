import type { Route } from "@countersign/core/trading/routing"
import type { PoolKey } from "../pools/index.ts"
import type { SwapPart } from "./SwapPart.ts"

/** Adds the pool data that routers need to the split routes. */
export const partsOf = ({ parts }: Pick<Route, "parts">, keys: ReadonlyMap<string, PoolKey>): ReadonlyArray<SwapPart> =>
  parts.map(({ amountIn, amountOut, hops }) => ({
    amountIn,
    amountOut,
    hops: hops.map(({ pool, zeroForOne }) => {
      const key = keys.get(pool.id)!
      const [tokenIn, tokenOut] = zeroForOne ? [key.token0, key.token1] : [key.token1, key.token0]
      return { key, zeroForOne, tokenIn, tokenOut }
    })
  }))
