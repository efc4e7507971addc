import { capacityOf, swapThrough } from "../liquidity/index.ts"
import { type Address, lesser } from "../primitives/index.ts"
import { graphOf, MAX_HOPS } from "./PoolGraph.ts"
import type { Hop, Path, RouteRequest } from "./Route.ts"
import { swapParts } from "./swapParts.ts"

/** What is taken off, at most so often, where an amount that was computed backward is a few units too much for a pool. */
const MARGIN_BITS = 20n
const MAX_MARGINS = 4

interface Limit {
  readonly path: Path
  readonly amountIn: bigint
}

/** A path with a hop before it: its limit is what the hop's pool can take, or what makes the pool give the limit behind it. */
const behind = ({ pool, zeroForOne }: Hop, { amountIn, path }: Limit): Limit => {
  const capacity = capacityOf(pool, zeroForOne)
  const reached = swapThrough(pool, zeroForOne, amountIn, false)
  return {
    path: [{ pool, zeroForOne }, ...path],
    amountIn: reached._tag === "Swapped" ? lesser(capacity, reached.amountIn) : capacity
  }
}

const works = ({ amountIn, path }: Limit): boolean =>
  amountIn > 0n && swapParts([{ path, amountIn }])._tag === "Swapped"

const withMargin = ({ amountIn, path }: Limit): Limit => ({ path, amountIn: amountIn - (amountIn >> MARGIN_BITS) - 1n })

const descending = (a: Limit, b: Limit): number => (a.amountIn > b.amountIn ? -1 : a.amountIn < b.amountIn ? 1 : 0)

/**
 * The largest amount that a path takes, to within a few millionths below, as far as ticks were read; zero where none takes
 * any. For a refusal alone: it goes through every tick of the pools.
 */
export const largestAmountRoundingDown = ({
  hubs,
  pools,
  tokenIn,
  tokenOut
}: Pick<RouteRequest, "hubs" | "pools" | "tokenIn" | "tokenOut">): bigint => {
  const graph = graphOf(pools)
  /** Of each sequence of tokens the limits of its first pools, with the largest limit behind them. */
  const limitsFrom = (token: Address, hubsLeft: ReadonlyArray<Address>, hopsLeft: number): ReadonlyArray<Limit> => {
    const direct = graph(token, tokenOut).map((hop) => ({
      path: [hop],
      amountIn: capacityOf(hop.pool, hop.zeroForOne)
    }))
    if (hopsLeft === 1) return direct
    const over = hubsLeft.flatMap((hub) => {
      const hops = graph(token, hub)
      if (hops.length === 0) return []
      const [largest] = [
        ...limitsFrom(
          hub,
          hubsLeft.filter((other) => other !== hub),
          hopsLeft - 1
        )
      ].sort(descending)
      return largest === undefined ? [] : hops.map((hop) => behind(hop, largest))
    })
    return [...direct, ...over]
  }
  const middle = hubs.filter((hub) => hub !== tokenIn && hub !== tokenOut)
  for (const limit of [...limitsFrom(tokenIn, middle, MAX_HOPS)].sort(descending)) {
    let reduced = limit
    for (let margin = 0; margin < MAX_MARGINS && !works(reduced); margin++) reduced = withMargin(reduced)
    if (works(reduced)) return reduced.amountIn
  }
  return 0n
}
