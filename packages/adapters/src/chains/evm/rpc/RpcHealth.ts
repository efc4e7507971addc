import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Context, type Effect } from "effect"

/**
 * UNKNOWN: not used yet. UP: used. LAGGING: so far behind the others that it is asked last.
 * DOWN: paused after a failure. RECOVERING: its pause is over, and a check will show whether it works. WRONG_CHAIN:
 * never used.
 */
export type HostState = "UNKNOWN" | "UP" | "LAGGING" | "DOWN" | "RECOVERING" | "WRONG_CHAIN"

export interface HostHealth {
  readonly chainId: EvmChainId
  /** Host name and port: the rest of a URL may be a secret. */
  readonly host: string
  readonly state: HostState
  /** Epoch milliseconds at which this state began. */
  readonly since: number
  /** The latest block that it reported. */
  readonly blockNumber: number | null
  readonly lastFailure: { readonly reason: string; readonly at: number } | null
}

/** The state of the chains' nodes, as this process has seen them. */
export class RpcHealth extends Context.Service<
  RpcHealth,
  {
    /** By chain, then in the order of configuration. Without the chains that were not used yet. */
    readonly hosts: Effect.Effect<ReadonlyArray<HostHealth>>
  }
>()("@countersign/adapters/evm/rpc/RpcHealth") {}
