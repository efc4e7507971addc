import { type Address, BoundedMap } from "@countersign/core/foundation/primitives"
import type { Pool } from "@countersign/core/trading/liquidity"
import type { LatestBlock } from "../../chains/evm/index.ts"
import type { PoolBlock } from "./multicall.ts"
import type { PoolKey } from "./PoolKey.ts"

/** A pool's state, and the block at which it was read. */
export interface KnownPool {
  readonly pool: Pool
  readonly block: PoolBlock
  /** The number of the block at which the oldest of the pool's ticks were read. */
  readonly ticksBlock: bigint
}

/** The chain's latest block, and when it was requested. */
interface CachedHead {
  readonly block: LatestBlock
  /** Unix seconds. */
  readonly timestamp: number
  readonly seenAtMs: number
}

/** Maximum number of cached pools per chain. The least recently used pools are removed. */
const MAX_POOLS = 4_000
/** Maximum number of cached addresses without a pool. An entry needs little memory. */
const MAX_ABSENT = 20_000
const MAX_PAIRS = 5_000

/** How long it is cached that a pool does not exist. */
const ABSENCE_MS = 60_000

/** Caches the pools of one chain. */
export class PoolMemory {
  readonly #pools = new BoundedMap<string, KnownPool>(MAX_POOLS)
  readonly #absentSince = new BoundedMap<string, number>(MAX_ABSENT)
  head: CachedHead | null = null
  readonly #tiers = new Map<Address, { readonly feePips: ReadonlyArray<number>; readonly requestedAtMs: number }>()
  readonly #keys = new BoundedMap<string, ReadonlyArray<PoolKey>>(MAX_PAIRS)

  /** Returns the fee tiers of a factory; null if they were not requested yet. */
  tiers(factory: Address): ReadonlyArray<number> | null {
    return this.#tiers.get(factory)?.feePips ?? null
  }

  hasTiersSince(factory: Address, ms: number): boolean {
    return (this.#tiers.get(factory)?.requestedAtMs ?? Number.NEGATIVE_INFINITY) >= ms
  }

  keepTiers(factory: Address, feePips: ReadonlyArray<number>, requestedAtMs: number): void {
    if (this.tiers(factory)?.length !== feePips.length) this.#keys.clear()
    this.#tiers.set(factory, { feePips, requestedAtMs })
  }

  /** Returns the possible pools of two tokens. Cached, because their addresses are computed by hashing. */
  keys(a: Address, b: Address, make: () => ReadonlyArray<PoolKey>): ReadonlyArray<PoolKey> {
    const pair = a < b ? `${a}:${b}` : `${b}:${a}`
    const cachedKeys = this.#keys.get(pair)
    if (cachedKeys !== undefined) return cachedKeys
    const keys = make()
    this.#keys.set(pair, keys)
    return keys
  }

  get size(): number {
    return this.#pools.size
  }

  get absentSize(): number {
    return this.#absentSince.size
  }

  pool(id: string): KnownPool | null {
    return this.#pools.get(id) ?? null
  }

  keep(id: string, knownPool: KnownPool): void {
    this.#absentSince.delete(id)
    this.#pools.set(id, knownPool)
  }

  isAbsent(id: string, nowMs: number): boolean {
    const absentSinceMs = this.#absentSince.get(id)
    return absentSinceMs !== undefined && nowMs - absentSinceMs < ABSENCE_MS
  }

  /**
   * Records that a pool does not exist. If the pool is cached, only removes it from the cache, because the node may
   * have read an orphaned block.
   */
  keepAbsent(id: string, nowMs: number): void {
    const wasStored = this.#pools.delete(id)
    if (!wasStored) this.#absentSince.set(id, nowMs)
  }
}
