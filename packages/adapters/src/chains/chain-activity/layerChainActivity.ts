import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Layer } from "effect"
import { RpcClientsLayer, type RpcLimits } from "../evm/index.ts"
import * as ViemChainActivity from "./ViemChainActivity.ts"

export interface ChainActivitySettings {
  readonly rpcUrls: (chainId: EvmChainId) => ReadonlyArray<string>
  readonly rpcLimits?: RpcLimits
  readonly onRpcRequest?: (chainId: EvmChainId, methods: ReadonlyArray<string>) => void
}

/** Limits of the watcher's own RPC connections. Traces of entire blocks take longer than the requests of a quote. */
const traceRpcLimits: RpcLimits = {
  timeoutMs: 20_000,
  deadlineMs: 25_000,
  rounds: 1,
  maxConcurrent: 8,
  maxTraceBytes: 64_000_000
}

export const layerChainActivity = ({ onRpcRequest, rpcLimits, rpcUrls }: ChainActivitySettings) =>
  ViemChainActivity.layer.pipe(
    Layer.provide(
      RpcClientsLayer({
        ...rpcLimits,
        ...traceRpcLimits,
        urls: rpcUrls,
        ...(onRpcRequest === undefined ? {} : { onRequest: onRpcRequest })
      })
    )
  )
