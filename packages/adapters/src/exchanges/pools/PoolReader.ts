import { type EvmChainId, nextBlockDueMs } from "@countersign/core/foundation/chains"
import type { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type Address, assume } from "@countersign/core/foundation/primitives"
import type { ConcentratedPool, Pool } from "@countersign/core/trading/liquidity"
import { Clock, Context, Effect, Layer } from "effect"
import type { PublicClient } from "viem"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { RpcClients } from "../../chains/evm/index.ts"
import { feeTierCalls, feeTiersFrom, KNOWN_FEES_PIPS, TIERS_MS } from "./feeTiers.ts"
import { changedTicks } from "./liquidityChanges.ts"
import { multicall, type PoolBlock } from "./multicall.ts"
import type { PoolKey } from "./PoolKey.ts"
import { type KnownPool, PoolMemory } from "./PoolMemory.ts"
import { poolCacheMetrics } from "./poolCacheMetrics.ts"
import { poolKeys, v3ExchangesOf } from "./poolKeys.ts"
import { poolFrom, stateCalls } from "./poolState.ts"
import { readTicks, type WantedTicks } from "./poolTicks.ts"
import { emptyWindowAt, inAscendingOrder, isAround, windowAround, windowToward } from "./tickWindow.ts"

export interface PoolSnapshot {
  readonly block: PoolBlock
  /**
   * The requested pools that exist and are initialized, in the order of the request. Empty V2 pairs are omitted. An
   * unchanged pool is the same object as before.
   */
  readonly pools: ReadonlyArray<Pool>
}

/**
 * Maximum number of bitmap words per pool. It is sufficient for realistic prices, and limits the load of a request for
 * the node.
 */
const MAX_WORDS = 160

/**
 * Reads the state of pools of every type at one block, with a cache. A pool that was read at the block is not requested
 * again. At a later block its state is requested, and its ticks only if its liquidity changed or the price left the
 * cached ticks.
 */
export class PoolReader extends Context.Service<
  PoolReader,
  {
    /** Returns the possible pools of two tokens, for the fee tiers of the chain's factories. */
    readonly keys: (chainId: EvmChainId, a: Address, b: Address) => ReadonlyArray<PoolKey>
    /**
     * Reads pools at a block, or at the latest block if none is specified. The pool with the id `recheckId` is requested
     * even if the cache lists it as absent.
     */
    readonly read: (
      chainId: EvmChainId,
      keys: ReadonlyArray<PoolKey>,
      asOf?: PoolBlock,
      recheckId?: string
    ) => Effect.Effect<PoolSnapshot, UpstreamUnavailable>
    /**
     * Reads more ticks of a pool at the same block. Null if the pool already has the maximum number of ticks, or if the
     * ticks can't be read.
     */
    readonly widen: (
      chainId: EvmChainId,
      pool: ConcentratedPool,
      missingWord: number,
      block: PoolBlock
    ) => Effect.Effect<ConcentratedPool | null, UpstreamUnavailable>
  }
>()("@countersign/adapters/pools/PoolReader") {
  static readonly layer = Layer.effect(
    PoolReader,
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      const memories = new Map<EvmChainId, PoolMemory>()
      const memoryOf = (chainId: EvmChainId): PoolMemory => {
        const memory = memories.get(chainId) ?? new PoolMemory()
        memories.set(chainId, memory)
        return memory
      }

      /**
       * Reads the head if no newer block is expected yet, because the cached pools are probably from this block.
       * Otherwise returns null, and the request for the pools also returns the head.
       */
      const headAt = Effect.fnUntraced(function* (chainId: EvmChainId, nowMs: number) {
        const memory = memoryOf(chainId)
        const { head } = memory
        if (head === null || nowMs >= nextBlockDueMs(chainId, head)) return null
        const readHead = rpc.call(chainId, async () => {
          const block = await rpc.latestBlock(chainId, 0)
          memory.head = { block, timestamp: block.timestamp, seenAtMs: nowMs }
          return block
        })
        return yield* assume(`head ${chainId}`, head.block, readHead)
      })

      const refreshTicks = async (
        client: PublicClient,
        chainId: EvmChainId,
        pools: ReadonlyArray<ConcentratedPool>,
        changedIds: ReadonlySet<string>,
        block: PoolBlock
      ): Promise<ReadonlyMap<string, ConcentratedPool>> => {
        const wantedTicks = pools.flatMap((pool): ReadonlyArray<WantedTicks> => {
          const isRead = isAround(pool, pool.tick, pool.tickSpacing)
          if (isRead && !changedIds.has(pool.id)) return []
          // The cached ticks are useless if the price has moved out of their range.
          return [{ pool, window: isRead ? pool : windowAround(pool.tick, pool.tickSpacing) }]
        })
        poolCacheMetrics.ticks.count(pools.length - wantedTicks.length, wantedTicks.length, memoryOf(chainId).size)
        if (wantedTicks.length === 0) return new Map()
        const ticksById = await readTicks(client, chainId, wantedTicks, block)
        return new Map(
          wantedTicks.map(({ pool, window: { firstWord, lastWord } }): readonly [string, ConcentratedPool] => {
            const ticks = ticksById.get(pool.id)
            // The cached ticks are older than the state, so the pool is kept without ticks. `widen` reads them again.
            if (ticks === undefined) {
              return [pool.id, { ...pool, ticks: [], ...emptyWindowAt(pool.tick, pool.tickSpacing) }]
            }
            const isSame = pool.firstWord === firstWord && pool.lastWord === lastWord && areSameTicks(pool.ticks, ticks)
            return [pool.id, isSame ? pool : { ...pool, ticks, firstWord, lastWord }]
          })
        )
      }

      /** Reads pools at a block or at the latest block, with the cache. */
      const refresh = async (
        client: PublicClient,
        chainId: EvmChainId,
        keys: ReadonlyArray<PoolKey>,
        asOf: PoolBlock | null,
        nowMs: number
      ): Promise<PoolSnapshot> => {
        const memory = memoryOf(chainId)
        const cachedPools = keys.map(({ id }) => memory.pool(id))
        const calls = keys.map((key, i) => stateCalls(key, cachedPools[i]?.pool ?? null))
        const exchanges = v3ExchangesOf(deploymentOf(chainId)).filter(
          ({ factory }) => !memory.hasTiersSince(factory, nowMs - TIERS_MS)
        )
        const tierCalls = exchanges.map(({ factory }) => feeTierCalls(factory))
        const concentratedPools = cachedPools.filter((each): each is KnownPool => each?.pool._tag === "Concentrated")
        // These requests run concurrently, so that all except those for logs are sent in one HTTP request.
        const [states, header, changedIds] = await Promise.all([
          multicall(client, chainId, [...calls.flat(), ...tierCalls.flat()], asOf),
          asOf === null ? rpc.latestBlock(chainId, 0) : null,
          changedTicks(client, chainId, concentratedPools, asOf?.number ?? null)
        ])
        const isSameBlock = header?.number === states.blockNumber && header.timestamp === states.timestamp
        const block: PoolBlock = asOf ?? { number: states.blockNumber, hash: isSameBlock ? header.hash : null }
        if (isSameBlock) memory.head = { block: header, timestamp: header.timestamp, seenAtMs: nowMs }

        const results = [...states.results]
        const takeResults = (count: number) => results.splice(0, count)
        const pools = keys.map((key, i) => poolFrom(key, cachedPools[i]?.pool ?? null, takeResults(calls[i]!.length)))
        exchanges.forEach(({ factory }, i) => {
          const feePips = feeTiersFrom(takeResults(tierCalls[i]!.length))
          if (feePips.length > 0) memory.keepTiers(factory, feePips, nowMs)
        })
        const concentrated = pools.filter((pool) => pool?._tag === "Concentrated")
        const poolsWithTicks = await refreshTicks(client, chainId, concentrated, changedIds, block)
        const existingPools = keys.flatMap(({ id }, i): ReadonlyArray<Pool> => {
          const pool = poolsWithTicks.get(id) ?? pools[i] ?? null
          if (pool === null) {
            memory.keepAbsent(id, nowMs)
            return []
          }
          const cachedPool = cachedPools[i] ?? null
          const ticksBlock = cachedPool === null || poolsWithTicks.has(id) ? block.number : cachedPool.ticksBlock
          memory.keep(id, { pool, block, ticksBlock })
          return [pool]
        })
        return { block, pools: existingPools }
      }

      const keysOf = (chainId: EvmChainId, a: Address, b: Address) => {
        const memory = memoryOf(chainId)
        return memory.keys(a, b, () =>
          poolKeys(deploymentOf(chainId), a, b, (factory) => memory.tiers(factory) ?? KNOWN_FEES_PIPS)
        )
      }

      const read = Effect.fn("PoolReader.read")(function* (
        chainId: EvmChainId,
        keys: ReadonlyArray<PoolKey>,
        asOf?: PoolBlock,
        recheckId?: string
      ) {
        const nowMs = yield* Clock.currentTimeMillis
        const memory = memoryOf(chainId)
        const candidateKeys = keys.filter(({ id }) => id === recheckId || !memory.isAbsent(id, nowMs))
        poolCacheMetrics.absence.count(keys.length - candidateKeys.length, candidateKeys.length, memory.absentSize)
        const block = asOf ?? (yield* headAt(chainId, nowMs))
        const isOfBlock = ({ id }: PoolKey) =>
          block !== null && block.hash !== null && memory.pool(id)?.block.hash === block.hash
        const unreadKeys = candidateKeys.filter((key) => !isOfBlock(key))
        poolCacheMetrics.state.count(candidateKeys.length - unreadKeys.length, unreadKeys.length, memory.size)
        const poolsOfBlock = new Map(candidateKeys.filter(isOfBlock).map(({ id }) => [id, memory.pool(id)!.pool]))
        if (block !== null && unreadKeys.length === 0) {
          return { block: { number: block.number, hash: block.hash }, pools: sortByKeys(candidateKeys, poolsOfBlock) }
        }
        const snapshot = yield* rpc.call(chainId, (client) => refresh(client, chainId, unreadKeys, block, nowMs))
        for (const pool of snapshot.pools) poolsOfBlock.set(pool.id, pool)
        return { block: snapshot.block, pools: sortByKeys(candidateKeys, poolsOfBlock) }
      })

      const readMoreTicks = Effect.fn("PoolReader.widen")(function* (
        chainId: EvmChainId,
        pool: ConcentratedPool,
        missingWord: number,
        block: PoolBlock
      ) {
        if (pool.lastWord - pool.firstWord >= MAX_WORDS) return null
        const window = windowToward(pool, missingWord, pool.tickSpacing)
        const ticksById = yield* rpc.call(chainId, (client) => readTicks(client, chainId, [{ pool, window }], block))
        const ticks = ticksById.get(pool.id)
        if (ticks === undefined) return null
        const widenedPool: ConcentratedPool = {
          ...pool,
          ticks: inAscendingOrder([...pool.ticks, ...ticks]),
          firstWord: Math.min(pool.firstWord, window.firstWord),
          lastWord: Math.max(pool.lastWord, window.lastWord)
        }
        const memory = memoryOf(chainId)
        // A pool that an earlier swap of the operation changed is not on-chain state and is not cached.
        const cachedPool = memory.pool(pool.id)
        if (cachedPool?.pool === pool) memory.keep(pool.id, { ...cachedPool, pool: widenedPool, block })
        return widenedPool
      })

      return PoolReader.of({ keys: keysOf, read, widen: readMoreTicks })
    })
  )
}

const sortByKeys = (keys: ReadonlyArray<PoolKey>, pools: ReadonlyMap<string, Pool>): ReadonlyArray<Pool> =>
  keys.flatMap(({ id }) => pools.get(id) ?? [])

const areSameTicks = (ticks: ConcentratedPool["ticks"], otherTicks: ConcentratedPool["ticks"]): boolean =>
  ticks.length === otherTicks.length &&
  ticks.every(
    ({ index, liquidityNet }, i) => index === otherTicks[i]!.index && liquidityNet === otherTicks[i]!.liquidityNet
  )
