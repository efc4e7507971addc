import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Context, type Effect } from "effect"

/**
 * UNKNOWN: not used yet. UP: in use. LAGGING: so far behind that it is used last. DOWN: paused after a failure.
 * RECOVERING: the pause is over, and a check will follow. WRONG_CHAIN: never used, because it serves another chain.
 */
export type HostState = "UNKNOWN" | "UP" | "LAGGING" | "DOWN" | "RECOVERING" | "WRONG_CHAIN"

export interface HostHealth {
  readonly chainId: EvmChainId
  /** Host name and port. The rest of a URL may be a secret. */
  readonly host: string
  readonly state: HostState
  /** Unix milliseconds at which this state began. */
  readonly since: number
  /** Latest block number that the host reported; null if it reported none. */
  readonly blockNumber: number | null
  readonly lastFailure: { readonly reason: string; readonly at: number } | null
}

/** The state of the chains' nodes, as observed by this process. */
export class RpcHealth extends Context.Service<
  RpcHealth,
  {
    /** Hosts by chain, and then in the order of the configuration. Excludes chains that were not used yet. */
    readonly hosts: Effect.Effect<ReadonlyArray<HostHealth>>
  }
>()("@countersign/adapters/evm/rpc/RpcHealth") {}
