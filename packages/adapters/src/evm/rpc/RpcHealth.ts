import type { EvmChainId } from "@countersign/core/chains"
import { Context, type Effect } from "effect"

/**
 * UNKNOWN: not used yet. UP. LAGGING: answers, and is so far behind the others that it is asked last.
 * DOWN: failed, and is left alone for a while. RECOVERING: is asked whether it is back. WRONG_CHAIN: never used.
 */
export type HostState = "UNKNOWN" | "UP" | "LAGGING" | "DOWN" | "RECOVERING" | "WRONG_CHAIN"

export interface HostHealth {
  readonly chainId: EvmChainId
  /** Host name and port: the rest of a URL may be a secret. */
  readonly host: string
  readonly state: HostState
  /** Epoch milliseconds since when it is in this state. */
  readonly since: number
  /** The latest block that it told of. */
  readonly blockNumber: number | null
  readonly lastFailure: { readonly reason: string; readonly at: number } | null
}

/** How the chains' nodes are, as this process has met them. */
export class RpcHealth extends Context.Service<
  RpcHealth,
  {
    /** By chain, then in the order of configuration. Chains that were not used yet are not in it. */
    readonly hosts: Effect.Effect<ReadonlyArray<HostHealth>>
  }
>()("@countersign/adapters/evm/rpc/RpcHealth") {}
