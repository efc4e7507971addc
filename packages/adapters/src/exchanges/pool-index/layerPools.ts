import type { EvmChainId } from "@countersign/core/foundation/chains"
import { PoolStatistics } from "@countersign/core/trading/pools"
import { Layer } from "effect"
import { RpcClientsLayer, type RpcLimits } from "../../chains/evm/index.ts"
import * as OnChainPoolMarket from "./OnChainPoolMarket.ts"
import * as ViemPoolEvents from "./ViemPoolEvents.ts"
import * as ViemPositionHistory from "./ViemPositionHistory.ts"

export interface PoolSettings {
  readonly rpcUrls: (chainId: EvmChainId) => ReadonlyArray<string>
  readonly rpcLimits?: RpcLimits
}

/**
 * Connections of the index alone: logs of many blocks take a node longer than what a quote asks for, and what a node does not
 * answer here is no reason to keep quotes from it.
 */
const patience: RpcLimits = { timeoutMs: 20_000, deadlineMs: 25_000, rounds: 1, maxConcurrent: 4 }

/** Pools, and what happens in them. */
export const layerPools = ({ rpcLimits, rpcUrls }: PoolSettings) =>
  Layer.mergeAll(
    OnChainPoolMarket.layer,
    PoolStatistics.layer,
    Layer.mergeAll(ViemPoolEvents.layer, ViemPositionHistory.layer).pipe(
      Layer.provide(RpcClientsLayer({ ...rpcLimits, ...patience, urls: rpcUrls }))
    )
  )
