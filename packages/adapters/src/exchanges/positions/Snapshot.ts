import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import type { ConcentratedPool, Pool } from "@countersign/core/trading/liquidity"
import { bestPath, type Path } from "@countersign/core/trading/routing"
import { Effect } from "effect"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { type PoolBlock, type PoolKey, PoolReader, type V3Key } from "../pools/index.ts"
import { candidatePools, hubsOf } from "../uniswap/index.ts"

/** Uniswap V3 pools at one block: the position's own pool, and the pools that swaps to its tokens can use. */
export interface Snapshot {
  readonly chainId: EvmChainId
  readonly block: PoolBlock
  readonly keys: ReadonlyMap<string, PoolKey>
  /** Pools by id. More ticks are added when they are needed. */
  readonly pools: Map<string, Pool>
  readonly ownKey: V3Key
  /** Applies the operation's change of the position's own pool. The operation changes this pool before its swaps. */
  readonly change: (own: ConcentratedPool) => ConcentratedPool
  /** The position's own pool in its on-chain state; null while the pool has no price. */
  unchangedOwnPool: ConcentratedPool | null
}

/** Returns the position's own pool before the swaps; undefined if the pool is not initialized. */
export const ownPool = ({ ownKey, pools }: Snapshot): ConcentratedPool | undefined => {
  const pool = pools.get(ownKey.id)
  return pool?._tag === "Concentrated" ? pool : undefined
}

/**
 * Reads the pools. Liquidity operations route only through Uniswap V3, because then one router receives the outputs of
 * all swaps and deposits them, regardless of the exact amounts.
 */
export const readSnapshot = Effect.fnUntraced(function* (chainId: EvmChainId, ownKey: V3Key, token: Address | null) {
  const reader = yield* PoolReader
  const deployment = deploymentOf(chainId)
  const keysOf = (a: Address, b: Address) =>
    reader.keys(chainId, a, b).filter((key) => key._tag === "V3" && key.factory === deployment.uniswapV3.factory)
  const { token0, token1 } = ownKey
  const hubs = [...hubsOf(deployment), ...(token === null ? [] : [token])]
  const keys = new Map([...candidatePools(keysOf, token0, token1, hubs), [ownKey.id, ownKey] as const])
  const { block, pools } = yield* reader.read(chainId, [...keys.values()], undefined, ownKey.id)
  const poolById = new Map(pools.map((pool) => [pool.id, pool]))
  const positionPool = poolById.get(ownKey.id)
  const snapshot: Snapshot = {
    chainId,
    block,
    keys,
    pools: poolById,
    ownKey,
    change: (pool) => pool,
    unchangedOwnPool: positionPool?._tag === "Concentrated" ? positionPool : null
  }
  return snapshot
})

/** Returns the same pools with another change of the position's own pool. */
export const changedSnapshot = (snapshot: Snapshot, change: Snapshot["change"]): Snapshot => {
  const { ownKey, pools, unchangedOwnPool } = snapshot
  const ownEntry = unchangedOwnPool === null ? [] : [[ownKey.id, change(unchangedOwnPool)] as const]
  return { ...snapshot, change, pools: new Map([...pools, ...ownEntry]) }
}

/**
 * Reads more ticks of a pool, in the direction of a missing word. Returns false if the pool already has the maximum
 * number of ticks.
 */
export const widenPool = Effect.fnUntraced(function* (snapshot: Snapshot, id: string, word: number) {
  const reader = yield* PoolReader
  const isOwn = id === snapshot.ownKey.id
  const knownPool = isOwn ? snapshot.unchangedOwnPool : snapshot.pools.get(id)
  if (knownPool?._tag !== "Concentrated") return false
  const widenedPool = yield* reader.widen(snapshot.chainId, knownPool, word, snapshot.block)
  if (widenedPool === null) return false
  if (isOwn) snapshot.unchangedOwnPool = widenedPool
  snapshot.pools.set(id, isOwn ? snapshot.change(widenedPool) : widenedPool)
  return true
})

const zeroGas = () => 0n

/** Finds the path with the highest output for an amount; null if there is none, or if the amount is zero. */
export const pathFor = (
  { chainId, pools }: Snapshot,
  tokenIn: Address,
  tokenOut: Address,
  amountIn: bigint
): Path | null => {
  const request = { pools: [...pools.values()], tokenIn, tokenOut, hubs: hubsOf(deploymentOf(chainId)), gasOf: zeroGas }
  const { route } = amountIn === 0n ? { route: null } : bestPath({ ...request, amountIn })
  return route?.parts[0]?.hops.map(({ pool, zeroForOne }) => ({ pool, zeroForOne })) ?? null
}
