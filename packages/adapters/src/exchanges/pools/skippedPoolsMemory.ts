import type { EvmChainId } from "@countersign/core/foundation/chains"
import { type Address, BoundedMap } from "@countersign/core/foundation/primitives"
import type { SkippedPool } from "@countersign/core/trading/swap"
import { Clock, Effect } from "effect"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { RpcClients } from "../../chains/evm/index.ts"
import { PoolReader } from "./PoolReader.ts"
import { currencyPairs } from "./poolKeys.ts"
import { skippedPoolsOf } from "./skippedPools.ts"

/** How long the skipped pools of a token pair are cached. */
const CACHE_MS = 300_000
const MAX_PAIRS = 5_000

interface CachedSkippedPools {
  readonly atMs: number
  readonly skipped: ReadonlyArray<SkippedPool>
}

/** Caches the skipped pools of token pairs. Searches in the background, so that no quote waits for the search. */
export const skippedPoolsMemory = Effect.gen(function* () {
  const rpc = yield* RpcClients
  const reader = yield* PoolReader
  const scope = yield* Effect.scope
  const knownPairs = new BoundedMap<string, CachedSkippedPools>(MAX_PAIRS)
  const nameOf = (chainId: EvmChainId, a: Address, b: Address) => [chainId, ...[a, b].sort()].join(":")

  const search = Effect.fnUntraced(function* (chainId: EvmChainId, a: Address, b: Address, name: string) {
    const usedIds = new Set(reader.keys(chainId, a, b).map(({ id }) => id))
    const skippedPools = yield* Effect.provideService(
      skippedPoolsOf(chainId, currencyPairs(deploymentOf(chainId), a, b), usedIds),
      RpcClients,
      rpc
    )
    knownPairs.set(name, { atMs: yield* Clock.currentTimeMillis, skipped: skippedPools })
  })

  return {
    of: (chainId: EvmChainId, a: Address, b: Address): ReadonlyArray<SkippedPool> =>
      knownPairs.get(nameOf(chainId, a, b))?.skipped ?? [],
    /** Starts a search if the token pair is not cached or its entry has expired. */
    refresh: Effect.fnUntraced(function* (chainId: EvmChainId, a: Address, b: Address) {
      const name = nameOf(chainId, a, b)
      const nowMs = yield* Clock.currentTimeMillis
      const cachedPair = knownPairs.get(name)
      if (cachedPair !== undefined && nowMs - cachedPair.atMs < CACHE_MS) return
      // Marks the pair as cached, so that no second search starts concurrently.
      knownPairs.set(name, { atMs: nowMs, skipped: cachedPair?.skipped ?? [] })
      yield* Effect.forkIn(search(chainId, a, b, name), scope)
    })
  }
})
