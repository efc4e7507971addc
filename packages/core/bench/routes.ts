import { type Pool, tickToWord } from "../src/trading/liquidity/index.ts"
import { randomNumbers } from "../src/trading/liquidity/math/randomPools.fixture.ts"
import { bestPath, bestSplit, type RouteRequest } from "../src/trading/routing/index.ts"
import { randomPools, tokens } from "../src/trading/routing/randomGraph.fixture.ts"
import { compare } from "./alternating.ts"

/**
 * Measures routes over five tokens, of which three are hubs. Each pair has as many pools as the main pairs of a chain.
 */

const POOLS_PER_PAIR = 6
const WORDS = 12

/** Returns the pool with the number of ticks that an adapter reads. */
const withReadTicks = (pool: Pool): Pool => {
  if (pool._tag !== "Concentrated") return pool
  const word = tickToWord(pool.tick, pool.tickSpacing)
  return { ...pool, firstWord: word - WORDS, lastWord: word + WORDS }
}

const pools = randomPools(randomNumbers(7), tokens.length, POOLS_PER_PAIR).map(withReadTicks)

const request = (amountIn: bigint, gas: bigint): RouteRequest => ({
  pools,
  tokenIn: tokens[0]!,
  tokenOut: tokens[1]!,
  hubs: tokens.slice(2),
  amountIn,
  gasOf: () => gas
})

const copyOf = (pool: Pool): Pool => ({ ...pool })

for (const [title, amountIn] of [
  ["a small amount", 10n ** 18n],
  ["a twentieth of a pool", 10n ** 21n],
  ["half a pool", 10n ** 22n]
] as const) {
  const routeRequest = request(amountIn, amountIn / 20_000n)
  const { parts } = bestSplit(routeRequest).route!
  const singlePathRoute = bestPath(routeRequest).route!
  const split = bestSplit(routeRequest).route!
  const gainPercent =
    Number(
      ((split.amountOut - split.gas - singlePathRoute.amountOut + singlePathRoute.gas) * 1_000_000n) /
        singlePathRoute.amountOut
    ) / 10_000
  await compare(
    `${title}, ${pools.length} pools: ${parts.length} parts, ${gainPercent} % more than one path after gas`,
    [
      { name: "best path", run: () => bestPath(routeRequest) },
      { name: "best path, all pools new", run: () => bestPath({ ...routeRequest, pools: pools.map(copyOf) }) },
      { name: "best split", run: () => bestSplit(routeRequest) },
      { name: "best split, all pools new", run: () => bestSplit({ ...routeRequest, pools: pools.map(copyOf) }) }
    ]
  )
}
