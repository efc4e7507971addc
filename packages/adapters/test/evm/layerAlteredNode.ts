import { Effect, Layer } from "effect"
import type { PublicClient } from "viem"
import { RpcClients } from "../../src/chains/evm/index.ts"

/** Provides a node whose responses to `RpcClients.call` come from `request`, which may use the real node. */
export const layerAlteredNode = (
  request: (client: PublicClient, args: { readonly method: string; readonly params?: unknown }) => Promise<unknown>
): Layer.Layer<RpcClients, never, RpcClients> =>
  Layer.effect(
    RpcClients,
    Effect.map(RpcClients, (rpc) =>
      RpcClients.of({
        ...rpc,
        call: (chainId, use) =>
          rpc.call(chainId, (client) => use({ ...client, request: ((args: never) => request(client, args)) as never }))
      })
    )
  )
