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
 * Limits of the index's own RPC connections. Log queries over many blocks take longer than the requests of a quote, and
 * a failed log query must not make quotes back off from the node.
 */
const poolRpcLimits: RpcLimits = { timeoutMs: 20_000, deadlineMs: 25_000, rounds: 1, maxConcurrent: 4 }

/** Provides the services for pools and their statistics. */
export const layerPools = ({ rpcLimits, rpcUrls }: PoolSettings) =>
  Layer.mergeAll(
    OnChainPoolMarket.layer,
    PoolStatistics.layer,
    Layer.mergeAll(ViemPoolEvents.layer, ViemPositionHistory.layer).pipe(
      Layer.provide(RpcClientsLayer({ ...rpcLimits, ...poolRpcLimits, urls: rpcUrls }))
    )
  )
