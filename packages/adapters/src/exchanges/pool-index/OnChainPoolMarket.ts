import type { EvmChainId } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type Address, BoundedMap } from "@countersign/core/foundation/primitives"
import { PoolMarket, type PoolRef, type PoolState } from "@countersign/core/trading/pools"
import { Clock, Effect, Layer, Option } from "effect"
import { encodeFunctionData, hexToBigInt, parseAbi, size } from "viem"
import { deploymentOf, pooledToken } from "../../chains/deployments/index.ts"
import {
  addressFromHex,
  encoderOf,
  erc20Abi,
  type ReadCall,
  RpcClients,
  rpcNodeOf,
  wordAt
} from "../../chains/evm/index.ts"
import { type CallResult, feeTierCalls, feeTiersFrom, multicall, TIERS_MS, uniswapV3Of, v3Key } from "../pools/index.ts"

const erc20Data = encoderOf(erc20Abi)

const poolAbi = parseAbi([
  "function token0() view returns (address)",
  "function token1() view returns (address)",
  "function fee() view returns (uint24)",
  "function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)",
  "function liquidity() view returns (uint128)",
  "function tickSpacing() view returns (int24)"
])

const selector = (functionName: (typeof poolAbi)[number]["name"]) => encodeFunctionData({ abi: poolAbi, functionName })

const identityCalls = (["token0", "token1", "fee"] as const).map(selector)
const stateCalls = (["slot0", "liquidity", "tickSpacing"] as const).map(selector)

const callsOf = ({ address, token0, token1 }: PoolRef): ReadonlyArray<ReadCall> => [
  ...stateCalls.map((callData) => ({ target: address, callData })),
  ...[token0, token1].map((token) => ({
    target: token,
    callData: erc20Data("balanceOf", [address])
  }))
]

const CALLS_PER_POOL = 5
/** Maximum number of pools whose immutable fields are cached. */
const MAX_REFS = 1_000
const MAX_PAIRS = 5_000
/** Maximum number of cached addresses without a pool. An entry needs little memory. */
const MAX_ABSENT = 20_000
/** How long a search of several pairs omits an address at which an earlier search found no pool. */
const ABSENCE_MS = 10 * 60_000

const toSigned24 = (value: bigint): number => Number(BigInt.asIntN(24, value))

/**
 * Decodes the state of a pool. Null if the pool does not exist or is not initialized. If a token does not return the
 * pool's balance, the balance is zero.
 */
const poolStateFrom = (pool: PoolRef, results: ReadonlyArray<CallResult>): PoolState | null => {
  const [slot0, liquidity, tickSpacing, balance0, balance1] = results
  if (slot0 == null || liquidity == null || tickSpacing == null) return null
  const sqrtPriceX96 = wordAt(slot0, 0)
  if (sqrtPriceX96 === 0n) return null
  const protocol = Number(wordAt(slot0, 5))
  const balance = (result: CallResult | undefined) => (result == null ? 0n : hexToBigInt(result))
  return {
    ...pool,
    sqrtPriceX96,
    tick: toSigned24(wordAt(slot0, 1)),
    tickSpacing: toSigned24(hexToBigInt(tickSpacing)),
    liquidity: hexToBigInt(liquidity),
    protocolShares: [protocol & 15, protocol >> 4],
    balances: [balance(balance0), balance(balance1)]
  }
}

const WORD_BYTES = 32

/**
 * Builds the pool that the contract's own fields describe. Null if the exchange's factory did not create this contract.
 */
const refOf = (chainId: EvmChainId, address: Address, results: ReadonlyArray<CallResult>): PoolRef | null => {
  const [token0, token1, fee] = results.filter((result) => result !== null && size(result) >= WORD_BYTES)
  if (token0 == null || token1 == null || fee == null) return null
  const [a, b] = [token0, token1].map((result) => addressFromHex(`0x${result.slice(26, 66)}`))
  const key = v3Key(uniswapV3Of(deploymentOf(chainId)), a!, b!, Number(BigInt.asUintN(24, hexToBigInt(fee))))
  const { feePips, token0: first, token1: second } = key
  return key.address === address ? { chainId, address, token0: first, token1: second, feePips } : null
}

const keyOf = (chainId: EvmChainId, address: Address): string => `${chainId}-${address}`

/** Reads Uniswap V3 pools from their factories and contracts. */
export const layer = Layer.effect(
  PoolMarket,
  Effect.gen(function* () {
    const rpc = yield* RpcClients
    const refs = new BoundedMap<string, PoolRef>(MAX_REFS)
    /** The possible pools of a pair. Cached, because their addresses are computed by hashing. */
    const refsByPair = new BoundedMap<string, ReadonlyArray<PoolRef>>(MAX_PAIRS)
    /** When a search last found no pool at an address. -Infinity once a pool was found, because pools can't disappear. */
    const absentSinceMs = new BoundedMap<string, number>(MAX_ABSENT)
    const tiersByChain = new Map<
      EvmChainId,
      { readonly feePips: ReadonlyArray<number>; readonly requestedAtMs: number }
    >()

    const readCalls = (chainId: EvmChainId, calls: ReadonlyArray<ReadCall>) =>
      Effect.map(
        rpc.call(chainId, (client) => multicall(client, chainId, calls, null)),
        ({ results }) => results
      )

    const feeTiers = Effect.fnUntraced(function* (chainId: EvmChainId) {
      const now = yield* Clock.currentTimeMillis
      const cachedTiers = tiersByChain.get(chainId)
      if (cachedTiers !== undefined && now - cachedTiers.requestedAtMs < TIERS_MS) return cachedTiers.feePips
      const feePips = feeTiersFrom(yield* readCalls(chainId, feeTierCalls(deploymentOf(chainId).uniswapV3.factory)))
      // Every factory has fee tiers, so the node has not reached the factory's block yet, or it is faulty.
      if (feePips.length === 0) {
        return yield* new UpstreamUnavailable({
          upstream: rpcNodeOf(chainId),
          reason: "it returned no fee tier of Uniswap V3's factory"
        })
      }
      tiersByChain.set(chainId, { feePips, requestedAtMs: now })
      return feePips
    })

    const pairRefs = (
      chainId: EvmChainId,
      pair: readonly [Address, Address],
      tiers: ReadonlyArray<number>
    ): ReadonlyArray<PoolRef> => {
      const deployment = deploymentOf(chainId)
      const [a, b] = pair.map((token) => pooledToken(token, deployment))
      // In pools the native token is represented by the wrapped native token, so the two are not a pair.
      if (a === b) return []
      const key = `${chainId}:${a}:${b}:${tiers.length}`
      const cachedRefs = refsByPair.get(key)
      if (cachedRefs !== undefined) return cachedRefs
      const pairPools = tiers.map((tier): PoolRef => {
        const { address, feePips, token0, token1 } = v3Key(uniswapV3Of(deployment), a!, b!, tier)
        return { chainId, address, token0, token1, feePips }
      })
      refsByPair.set(key, pairPools)
      return pairPools
    }

    const statesOf = Effect.fnUntraced(function* (chainId: EvmChainId, pools: ReadonlyArray<PoolRef>) {
      const results = yield* readCalls(chainId, pools.flatMap(callsOf))
      return pools.flatMap((pool, i) => {
        const state = poolStateFrom(pool, results.slice(i * CALLS_PER_POOL, (i + 1) * CALLS_PER_POOL))
        return state === null ? [] : [state]
      })
    })

    const refAt = Effect.fnUntraced(function* (chainId: EvmChainId, address: Address) {
      const id = keyOf(chainId, address)
      const cachedRef = refs.get(id)
      if (cachedRef !== undefined) return cachedRef
      const identity = yield* readCalls(
        chainId,
        identityCalls.map((callData) => ({ target: address, callData }))
      )
      const pool = refOf(chainId, address, identity)
      if (pool === null) return null
      refs.set(id, pool)
      return pool
    })

    return PoolMarket.of({
      find: Effect.fn("OnChainPoolMarket.find")(function* ({ address, chainId }) {
        const pool = yield* refAt(chainId, address)
        if (pool === null) return Option.none()
        return Option.fromUndefinedOr((yield* statesOf(chainId, [pool]))[0])
      }),
      search: Effect.fn("OnChainPoolMarket.search")(function* (chainId, pairs, feePips) {
        const tiers = yield* feeTiers(chainId)
        const now = yield* Clock.currentTimeMillis
        const possiblePools = pairs.flatMap((pair) => pairRefs(chainId, pair, tiers))
        const requestedPools = [...new Map(possiblePools.map((pool) => [pool.address, pool])).values()].filter(
          (pool) => feePips === null || pool.feePips === feePips
        )
        // A search of one pair finds a pool as soon as it exists. A search of all pairs of a chain concerns thousands of
        // addresses, and most of them have no pool.
        const absentSince = ({ address }: PoolRef) =>
          absentSinceMs.get(keyOf(chainId, address)) ?? Number.NEGATIVE_INFINITY
        const readPools = requestedPools.filter((pool) => pairs.length <= 1 || now - absentSince(pool) >= ABSENCE_MS)
        const pools = yield* statesOf(chainId, readPools)
        const existingPools = new Set(pools.map(({ address }) => address))
        for (const { address } of readPools) {
          const key = keyOf(chainId, address)
          const wasFound = absentSinceMs.get(key) === Number.NEGATIVE_INFINITY
          absentSinceMs.set(key, wasFound || existingPools.has(address) ? Number.NEGATIVE_INFINITY : now)
        }
        return { feeTiers: tiers, pools }
      })
    })
  })
)
