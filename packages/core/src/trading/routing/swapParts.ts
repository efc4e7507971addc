import { type Pool, type SwapOutcome, swapThrough } from "../liquidity/index.ts"
import type { HopSwap, MissingTicks, Path, Route, RouteRequest } from "./Route.ts"

export interface Share {
  readonly path: Path
  readonly amountIn: bigint
}

export type CompletedSwap = Extract<SwapOutcome<Pool>, { readonly _tag: "Swapped" }>

export type PartsOutcome =
  | {
      readonly _tag: "Swapped"
      readonly amountOut: bigint
      /** The hops of each share, with their amounts. */
      readonly hops: ReadonlyArray<ReadonlyArray<HopSwap>>
      /** The last swap through each used pool, keyed by pool id. */
      readonly lastSwaps: ReadonlyMap<string, CompletedSwap>
    }
  | ({ readonly _tag: "TicksMissing" } & MissingTicks)
  | { readonly _tag: "InsufficientLiquidity" }

/** Swaps the shares in order. Each share uses the pools in the state that the previous shares leave. */
export const swapParts = (shares: ReadonlyArray<Share>): PartsOutcome => {
  const lastSwaps = new Map<string, CompletedSwap>()
  const hops: Array<ReadonlyArray<HopSwap>> = []
  let amountOut = 0n
  for (const { amountIn, path } of shares) {
    const swaps: Array<HopSwap> = []
    let amount = amountIn
    for (const { pool, zeroForOne } of path) {
      const state = lastSwaps.get(pool.id)?.poolAfter() ?? pool
      const outcome = swapThrough(state, zeroForOne, amount, true)
      if (outcome._tag === "TicksMissing" && pool._tag === "Concentrated") {
        return { _tag: "TicksMissing", pool, word: outcome.word }
      }
      if (outcome._tag !== "Swapped" || outcome.amountOut === 0n) return { _tag: "InsufficientLiquidity" }
      lastSwaps.set(pool.id, outcome)
      swaps.push({ pool, zeroForOne, amountIn: amount, amountOut: outcome.amountOut })
      amount = outcome.amountOut
    }
    hops.push(swaps)
    amountOut += amount
  }
  return { _tag: "Swapped", amountOut, hops, lastSwaps }
}

export const pathsGas = (paths: ReadonlyArray<Path>, gasOf: RouteRequest["gasOf"]): bigint =>
  paths.flat().reduce((sum, { pool }) => sum + gasOf(pool), 0n)

const byAmount = (a: Share, b: Share): number => (a.amountIn > b.amountIn ? -1 : a.amountIn < b.amountIn ? 1 : 0)

/**
 * Builds the route of the shares, largest first. Null if a pool has too little liquidity for its share, or if a swap
 * needs unread ticks.
 */
export const routeOf = (shares: ReadonlyArray<Share>, gasOf: RouteRequest["gasOf"]): Route | null => {
  const sortedShares = [...shares].sort(byAmount)
  const outcome = swapParts(sortedShares)
  if (outcome._tag !== "Swapped") return null
  return {
    parts: sortedShares.map(({ amountIn }, i) => {
      const hops = outcome.hops[i]!
      return { amountIn, amountOut: hops.at(-1)!.amountOut, hops }
    }),
    amountIn: sortedShares.reduce((sum, { amountIn }) => sum + amountIn, 0n),
    amountOut: outcome.amountOut,
    gas: pathsGas(
      sortedShares.map(({ path }) => path),
      gasOf
    ),
    poolsAfter: () => new Map([...outcome.lastSwaps].map(([id, swap]) => [id, swap.poolAfter()]))
  }
}
