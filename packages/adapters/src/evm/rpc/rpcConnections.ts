import type { EvmChainId } from "@countersign/core/chains"
import { failOver } from "./failOver.ts"
import { JsonRpcHost, type JsonRpcRequest } from "./JsonRpcHost.ts"

export interface RpcOptions {
  /** JSON-RPC URLs of each chain, the preferred one first. A function is asked on every call: chains may start late. */
  readonly urls: ReadonlyMap<EvmChainId, ReadonlyArray<string>> | ((chainId: EvmChainId) => ReadonlyArray<string>)
  /** Time for one HTTP request, 10 seconds when not given. */
  readonly timeoutMs?: number
  /** No attempt of a call begins later than this, 20 seconds when not given. */
  readonly deadlineMs?: number
  /** How often all URLs are gone through before a call fails, 3 when not given. */
  readonly rounds?: number
  /** Wait before the second round, 100 ms when not given; it doubles. */
  readonly retryDelayMs?: number
  /** Requests in one JSON-RPC batch at most, 100 when not given. */
  readonly maxBatchSize?: number
  /** Called once for each HTTP request. */
  readonly onRequest?: (chainId: EvmChainId, methods: ReadonlyArray<string>) => void
}

export type RpcRequest = (request: JsonRpcRequest) => Promise<unknown>

/** One connection for each chain, kept while its URLs stay the same. */
export const rpcConnections = (options: RpcOptions): ((chainId: EvmChainId) => RpcRequest) => {
  const { urls, timeoutMs = 10_000, deadlineMs = 20_000, rounds = 3, retryDelayMs = 100, maxBatchSize = 100 } = options
  const urlsOf = typeof urls === "function" ? urls : (chainId: EvmChainId) => urls.get(chainId) ?? []
  const connections = new Map<EvmChainId, { readonly key: string; readonly request: RpcRequest }>()

  return (chainId) => {
    const current = urlsOf(chainId)
    const key = current.join(" ")
    const known = connections.get(chainId)
    if (known?.key === key) return known.request
    const hosts = current.map(
      (url) =>
        new JsonRpcHost(url, {
          timeoutMs,
          maxBatchSize,
          onRequest: (methods) => options.onRequest?.(chainId, methods)
        })
    )
    const request = failOver(hosts, { rounds, retryDelayMs, deadlineMs })
    connections.set(chainId, { key, request })
    return request
  }
}
