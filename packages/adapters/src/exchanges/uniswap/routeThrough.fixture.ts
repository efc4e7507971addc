import type { EvmChainId } from "@countersign/core/foundation/chains"
import { NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { Pool } from "@countersign/core/trading/liquidity"
import { bestPath, bestSplit, type Route } from "@countersign/core/trading/routing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { sandboxTokens } from "../../../sandbox/index.ts"
import { type ChainDeployment, pooledToken } from "../../chains/deployments/index.ts"
import { type PoolKey, PoolReader } from "../pools/index.ts"
import { candidatePools, hubsOf } from "./candidatePools.ts"
import { joinablePools } from "./joinablePools.ts"
import { isUniswapPool } from "./swapCalls.ts"

const tokenOn = (chainId: EvmChainId, role: string): Token => {
  const [native] = sandboxTokens(chainId)
  const sandboxToken = sandboxTokens(chainId).find((token) => token.role === (role === "coin" ? "native" : role))!
  const { address, decimals, name, symbol } = sandboxToken
  const token = { chainId, address, name, symbol, decimals, realWorldAsset: false }
  return role === "coin" ? { ...token, address: NATIVE_TOKEN, name: native!.name, symbol: "COIN" } : token
}

export interface RouteCase {
  readonly chainId: EvmChainId
  /** Names of the exchanges that the route may use. */
  readonly venues: ReadonlyArray<string>
  readonly from: string
  readonly to: string
  /** Input amount in tokens. */
  readonly amount: number
  readonly parts: "one" | "several"
  /** Pattern that the result of `venuesOf` for the route must match. */
  readonly expect?: RegExp
}

/** Lists the exchanges of each hop of each split route. */
export const venuesOf = (route: Route, keys: ReadonlyMap<string, PoolKey>): string =>
  route.parts.map(({ hops }) => hops.map(({ pool }) => keys.get(pool.id)!.venue).join(" > ")).join(" + ")

/** Finds the best route at the latest block that uses only these exchanges. */
export const routeThrough = Effect.fnUntraced(function* (
  { amount, chainId, from, parts, to, venues }: RouteCase,
  deployment: ChainDeployment
) {
  const reader = yield* PoolReader
  const [tokenIn, tokenOut] = [tokenOn(chainId, from), tokenOn(chainId, to)]
  const ends = [pooledToken(tokenIn.address, deployment), pooledToken(tokenOut.address, deployment)] as const
  const all = candidatePools((a, b) => reader.keys(chainId, a, b), ends[0], ends[1], hubsOf(deployment))
  const keys = new Map([...all].filter(([, { venue }]) => venues.includes(venue)))
  const snapshot = yield* reader.read(chainId, [...keys.values()])
  const poolsById = new Map<string, Pool>(snapshot.pools.map((pool) => [pool.id, pool]))
  const amountIn = BigInt(Math.round(amount * 1e6)) * 10n ** BigInt(tokenIn.decimals - 6)
  for (let round = 0; ; round++) {
    const { hubs, pools } = joinablePools(
      [...poolsById.values()],
      (id) => keys.get(id)!,
      (key) => isUniswapPool(deployment, key),
      ends,
      hubsOf(deployment)
    )
    const search = parts === "one" ? bestPath : bestSplit
    const { missing, route } = search({ pools, hubs, amountIn, tokenIn: ends[0], tokenOut: ends[1], gasOf: () => 0n })
    if (missing.length === 0 || round === 5) {
      assert.isNotNull(route)
      return { tokenIn, tokenOut, amountIn, route: route!, keys }
    }
    for (const { pool, word } of missing) {
      const key = poolsById.get(pool.id)
      const widenedPool = key?._tag === "Concentrated" ? yield* reader.widen(chainId, key, word, snapshot.block) : null
      if (widenedPool !== null) poolsById.set(pool.id, widenedPool)
    }
  }
})
