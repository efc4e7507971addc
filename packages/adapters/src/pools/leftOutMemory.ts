import type { EvmChainId } from "@countersign/core/chains"
import { type Address, BoundedMap } from "@countersign/core/primitives"
import type { SkippedPool } from "@countersign/core/swap"
import { Clock, Effect } from "effect"
import { deploymentOf } from "../deployments/index.ts"
import { RpcClients } from "../evm/index.ts"
import { leftOutOf } from "./leftOut.ts"
import { PoolReader } from "./PoolReader.ts"
import { currencyPairs } from "./poolKeys.ts"

/** How long it is taken for known what exists of a pair. */
const KNOWN_MS = 300_000
const MAX_PAIRS = 5_000

interface Known {
  readonly atMs: number
  readonly leftOut: ReadonlyArray<SkippedPool>
}

/** Remembers what is left out of the pools of pairs, and looks for it beside whoever asks: nobody waits for it. */
export const leftOutMemory = Effect.gen(function* () {
  const rpc = yield* RpcClients
  const reader = yield* PoolReader
  const scope = yield* Effect.scope
  const knownPairs = new BoundedMap<string, Known>(MAX_PAIRS)
  const nameOf = (chainId: EvmChainId, a: Address, b: Address) => [chainId, ...[a, b].sort()].join(":")

  const look = Effect.fnUntraced(function* (chainId: EvmChainId, a: Address, b: Address, name: string) {
    const used = new Set(reader.keys(chainId, a, b).map(({ id }) => id))
    const leftOut = yield* Effect.provideService(
      leftOutOf(chainId, currencyPairs(deploymentOf(chainId), a, b), used),
      RpcClients,
      rpc
    )
    knownPairs.set(name, { atMs: yield* Clock.currentTimeMillis, leftOut })
  })

  return {
    of: (chainId: EvmChainId, a: Address, b: Address): ReadonlyArray<SkippedPool> =>
      knownPairs.get(nameOf(chainId, a, b))?.leftOut ?? [],
    /** Looks where it is not known, or not any more. */
    refresh: Effect.fnUntraced(function* (chainId: EvmChainId, a: Address, b: Address) {
      const name = nameOf(chainId, a, b)
      const nowMs = yield* Clock.currentTimeMillis
      const known = knownPairs.get(name)
      if (known !== undefined && nowMs - known.atMs < KNOWN_MS) return
      // Not twice at once.
      knownPairs.set(name, { atMs: nowMs, leftOut: known?.leftOut ?? [] })
      yield* Effect.forkIn(look(chainId, a, b, name), scope)
    })
  }
})
