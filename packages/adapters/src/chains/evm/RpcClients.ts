import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Context, Effect, Layer } from "effect"
import { createPublicClient, createTransport, type PublicClient, type Transport } from "viem"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { measureWait } from "../../outbound/waits/index.ts"
import { type LatestBlock, latestBlocks } from "./rpc/latestBlocks.ts"
import type { ResponseTo } from "./rpc/nodeResponses.ts"
import { RpcHealth } from "./rpc/RpcHealth.ts"
import { systemTime } from "./rpc/RpcTime.ts"
import { type RpcOptions, type RpcRequest, rpcConnections } from "./rpc/rpcConnections.ts"
import { toUpstreamUnavailable } from "./rpc/unavailable.ts"
import type { Witnesses } from "./rpc/Witnesses.ts"

/**
 * viem clients for the configured chains. Calls that start in the same event loop turn are sent as a batch, except
 * requests for traces, logs and receipts.
 */
export class RpcClients extends Context.Service<
  RpcClients,
  {
    /** Returns the client for viem's own actions, which fail with viem's errors. Use `call` where possible. */
    readonly client: (chainId: EvmChainId) => PublicClient
    /** Runs viem actions on a chain. Any error of `use` becomes `UpstreamUnavailable`. */
    readonly call: <A>(
      chainId: EvmChainId,
      use: (client: PublicClient) => Promise<A>
    ) => Effect.Effect<A, UpstreamUnavailable>
    /** Sends one JSON-RPC request with a typed result. Fails with `JsonRpcError` or `HostFailure`. */
    readonly request: <const M extends string, const P extends ReadonlyArray<unknown>>(
      chainId: EvmChainId,
      method: M,
      params: P
    ) => Promise<ResponseTo<M, P>>
    /** Returns the individual nodes of the chain, for facts on which several nodes must agree. */
    readonly witnesses: (chainId: EvmChainId) => Witnesses
    /**
     * Returns a latest block that was read at most `maxAgeMs` ago. Callers within that time share one request, unless
     * it fails.
     */
    readonly latestBlock: (chainId: EvmChainId, maxAgeMs: number) => Promise<LatestBlock>
  }
>()("@countersign/adapters/evm/RpcClients") {}

/** Returns the maximum age, in milliseconds, of a chain's head for a caller that waits for the next block. */
export const headAgeMs = (chainId: EvmChainId): number => Math.min(500, chainOf(chainId).blockTimeMs / 10)

export const rpcNodeOf = (chainId: EvmChainId): string => `${chainOf(chainId).name} RPC node`

/** Provides the clients and the health of their hosts. */
export const layer = (options: RpcOptions): Layer.Layer<RpcClients | RpcHealth> =>
  Layer.syncContext(() => {
    const { health, requestOf, witnessesOf } = rpcConnections("NODE", options)
    const clients = new WeakMap<RpcRequest, PublicClient>()
    const clientOf = (chainId: EvmChainId): PublicClient => {
      const request = requestOf(chainId)
      const cachedClient = clients.get(request)
      if (cachedClient !== undefined) return cachedClient
      const client = createPublicClient({ transport: transportOf(request), cacheTime: 0, ccipRead: false })
      clients.set(request, client)
      return client
    }
    const requestLatestBlock = async (chainId: EvmChainId): Promise<LatestBlock> => {
      const block = await clientOf(chainId).request({ method: "eth_getBlockByNumber", params: ["latest", false] })
      if (block?.number == null || block.hash === null) throw new HostFailure("it does not return its latest block")
      return {
        number: BigInt(block.number),
        hash: block.hash,
        timestamp: Number(block.timestamp),
        baseFeePerGas: block.baseFeePerGas == null ? null : BigInt(block.baseFeePerGas)
      }
    }
    const rpcClients = RpcClients.of({
      witnesses: witnessesOf,
      latestBlock: latestBlocks(requestLatestBlock, options.time ?? systemTime),
      client: clientOf,
      // The host has already validated the result's format for this method.
      request: (chainId, method, params) => requestOf(chainId)({ method, params }) as Promise<never>,
      call: (chainId, use) =>
        measureWait(
          "node",
          Effect.tryPromise({
            try: () => use(clientOf(chainId)),
            catch: (thrown) => toUpstreamUnavailable(rpcNodeOf(chainId), thrown)
          })
        )
    })
    return Context.make(RpcClients, rpcClients).pipe(
      Context.add(RpcHealth, RpcHealth.of({ hosts: Effect.sync(health) }))
    )
  })

/** Disables viem's retries, because the connection already retries. viem does not know the result type here. */
const transportOf =
  (request: RpcRequest): Transport =>
  () =>
    createTransport({
      key: "jsonRpc",
      name: "JSON-RPC hosts",
      type: "jsonRpc",
      retryCount: 0,
      request: async ({ method, params }) => (await request({ method, params: params ?? [] })) as never
    })
