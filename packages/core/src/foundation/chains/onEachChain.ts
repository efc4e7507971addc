import { Effect } from "effect"
import type { UpstreamUnavailable } from "../errors/index.ts"
import type { ChainId, EvmChainId } from "./Chain.ts"
import { queryEach } from "./queryEach.ts"
import { withTimeout } from "./withTimeout.ts"

/** A chain that could not be read completely. */
export interface UnreadChain {
  readonly chainId: ChainId
  readonly reason: string
}

/**
 * Queries these chains and returns the combined results. Also returns the chains that fail or do not respond in time.
 */
export const onEachChain = <A, R>(
  chainIds: ReadonlyArray<EvmChainId>,
  read: (chainId: EvmChainId) => Effect.Effect<ReadonlyArray<A>, UpstreamUnavailable, R>
) =>
  Effect.map(
    queryEach(chainIds, (chainId) => withTimeout(chainId, read(chainId))),
    ({ failed, results }) => ({
      results,
      unread: failed.map(({ error, place }): UnreadChain => ({ chainId: place, reason: error.message }))
    })
  )
