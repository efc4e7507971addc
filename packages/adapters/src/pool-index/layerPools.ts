import type { EvmChainId } from "@countersign/core/chains"
import { IndexedPoolStatistics, PoolStatistics } from "@countersign/core/pools"
import { Effect, Layer, type Redacted } from "effect"
import { RpcClientsLayer, type RpcLimits } from "../evm/index.ts"
import * as OnChainPoolMarket from "./OnChainPoolMarket.ts"
import * as SubgraphPoolStatistics from "./SubgraphPoolStatistics.ts"
import * as ViemPoolEvents from "./ViemPoolEvents.ts"
import * as ViemPositionHistory from "./ViemPositionHistory.ts"

export interface PoolSettings {
  readonly rpcUrls: (chainId: EvmChainId) => ReadonlyArray<string>
  readonly rpcLimits?: RpcLimits
  readonly subgraphUrls?: ReadonlyMap<EvmChainId, Redacted.Redacted<string>>
}

/**
 * Connections of the index alone: logs of many blocks take a node longer than what a quote asks for, and what a node does not
 * answer here is no reason to keep quotes from it.
 */
const patience: RpcLimits = { timeoutMs: 20_000, deadlineMs: 25_000, rounds: 1, maxConcurrent: 4 }

/** Of each chain by its subgraph, where there is one. */
const layerStatistics = (subgraphUrls: ReadonlyMap<EvmChainId, Redacted.Redacted<string>>) =>
  Layer.effect(
    PoolStatistics,
    Effect.gen(function* () {
      const bySubgraph = yield* Effect.provide(PoolStatistics, SubgraphPoolStatistics.layer(subgraphUrls))
      const byIndex = yield* Effect.provide(PoolStatistics, IndexedPoolStatistics.layer)
      const of = (chainId: EvmChainId) => (subgraphUrls.has(chainId) ? bySubgraph : byIndex)
      return PoolStatistics.of({
        follow: (pool) => of(pool.chainId).follow(pool),
        over: (priced, rangeInDays) => of(priced.pool.chainId).over(priced, rangeInDays)
      })
    })
  )

/** Pools, and what happens in them. */
export const layerPools = ({ rpcLimits, rpcUrls, subgraphUrls = new Map() }: PoolSettings) =>
  Layer.mergeAll(
    OnChainPoolMarket.layer,
    layerStatistics(subgraphUrls),
    Layer.mergeAll(ViemPoolEvents.layer, ViemPositionHistory.layer).pipe(
      Layer.provide(RpcClientsLayer({ ...rpcLimits, ...patience, urls: rpcUrls }))
    )
  )
