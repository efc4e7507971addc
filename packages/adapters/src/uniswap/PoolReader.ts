import type { EvmChainId } from "@countersign/core/chains"
import type { UpstreamUnavailable } from "@countersign/core/errors"
import { type ConcentratedPool, type InitializedTick, NO_PROTOCOL_FEE } from "@countersign/core/liquidity"
import { Address } from "@countersign/core/primitives"
import { Clock, Context, Effect, Layer } from "effect"
import { decodeFunctionResult, encodeFunctionData, type Hex } from "viem"
import { deploymentOf } from "../deployments/index.ts"
import { hex, RpcClients } from "../evm/index.ts"
import { multicallAbi, poolAbi, tickLensAbi } from "./abi.ts"
import type { PoolKey } from "./poolAddress.ts"
import { poolCacheMetrics } from "./poolCacheMetrics.ts"
import { inAscendingOrder, type TickWindow, windowAround, windowToward, wordsOf } from "./tickWindow.ts"

export interface PoolSnapshot {
  readonly blockNumber: bigint
  /** Those of the asked pools that exist and are initialized, in the order asked. */
  readonly pools: ReadonlyArray<ConcentratedPool>
}

/** How long a pool that was not there is taken for not there. */
const ABSENCE_MS = 60_000
/** Words read of one pool at most: enough for any sane price, and a bound on what one quote may cost a node. */
const MAX_WORDS = 160

/** Entries of each memory of encoded calls and decoded answers; beyond it, it starts over. */
const MAX_REMEMBERED = 50_000

/** Reads Uniswap V3 pools: every pool asked for in one multicall, at one block. */
export class PoolReader extends Context.Service<
  PoolReader,
  {
    /** As of a block, or of the latest one where none is given. */
    readonly read: (
      chainId: EvmChainId,
      keys: ReadonlyArray<PoolKey>,
      asOf?: bigint
    ) => Effect.Effect<PoolSnapshot, UpstreamUnavailable>
    /** The pool with more of its ticks, as of the same block. Null when it has been widened as far as it may. */
    readonly widen: (
      chainId: EvmChainId,
      pool: ConcentratedPool,
      missingWord: number,
      blockNumber: bigint
    ) => Effect.Effect<ConcentratedPool | null, UpstreamUnavailable>
  }
>()("@countersign/adapters/uniswap/PoolReader") {
  static readonly layer = Layer.effect(
    PoolReader,
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      /** Where each pool's price was last, so that the ticks around it can be asked for along with the price. */
      const lastTicks = new Map<string, number>()
      const absentSince = new Map<string, number>()

      const multicall = (chainId: EvmChainId, calls: ReadonlyArray<ReadCall>, blockNumber: bigint | null) => {
        const { multicall3 } = deploymentOf(chainId)
        const allCalls = [{ target: multicall3, callData: blockNumberCall }, ...calls]
        const data = encodeFunctionData({
          abi: multicallAbi,
          functionName: "aggregate3",
          args: [allCalls.map(({ callData, target }) => ({ target: hex(target), callData, allowFailure: true }))]
        })
        return rpc.call(chainId, async (client) => {
          const { data: answer = "0x" } = await client.call({
            to: hex(multicall3),
            data,
            ...(blockNumber === null ? {} : { blockNumber })
          })
          const [head, ...results] = decodeFunctionResult({
            abi: multicallAbi,
            functionName: "aggregate3",
            data: answer
          })
          return { blockNumber: BigInt(head!.returnData), results }
        })
      }

      const slot = (chainId: EvmChainId, address: Address) => `${chainId}:${address}`

      const read = Effect.fn("PoolReader.read")(function* (
        chainId: EvmChainId,
        keys: ReadonlyArray<PoolKey>,
        asOf?: bigint
      ) {
        const now = yield* Clock.currentTimeMillis
        const keysToRead = keys.filter(({ address }) => {
          const since = absentSince.get(slot(chainId, address))
          return since === undefined || now - since >= ABSENCE_MS
        })
        const guesses = keysToRead.map((key) => {
          const tick = lastTicks.get(slot(chainId, key.address))
          return tick === undefined ? null : windowAround(tick, key.tickSpacing)
        })
        const calls = keysToRead.flatMap((key, i) => [
          ...stateCalls(key.address),
          ...tickCalls(chainId, key.address, guesses[i] ?? null)
        ])
        const { blockNumber, results } = yield* multicall(chainId, calls, asOf ?? null)

        const existingPools: Array<{ readonly key: PoolKey; readonly state: PoolState; ticks: TicksRead | null }> = []
        let offset = 0
        keysToRead.forEach((key, i) => {
          const window = guesses[i] ?? null
          const words = window === null ? 0 : wordsOf(window).length
          const state = stateOf(results[offset], results[offset + 1])
          const ticks = window === null ? null : ticksOf(window, results.slice(offset + 2, offset + 2 + words))
          offset += 2 + words
          if (state === null) {
            absentSince.set(slot(chainId, key.address), now)
            return
          }
          lastTicks.set(slot(chainId, key.address), state.tick)
          const covers = window !== null && isAround(window, state.tick, key.tickSpacing)
          existingPools.push({ key, state, ticks: covers ? ticks : null })
        })

        // Pools met for the first time, and those whose price has left the window: their ticks as of the same block.
        const unread = existingPools.filter(({ ticks }) => ticks === null)
        poolCacheMetrics.absence.count(keys.length - keysToRead.length, keysToRead.length, absentSince.size)
        poolCacheMetrics.window.count(existingPools.length - unread.length, unread.length, lastTicks.size)
        if (unread.length > 0) {
          const windows = unread.map(({ key, state }) => windowAround(state.tick, key.tickSpacing))
          const moreTicks = yield* multicall(
            chainId,
            unread.flatMap(({ key }, i) => tickCalls(chainId, key.address, windows[i]!)),
            blockNumber
          )
          let offset = 0
          unread.forEach((pool, i) => {
            const words = wordsOf(windows[i]!).length
            pool.ticks = ticksOf(windows[i]!, moreTicks.results.slice(offset, offset + words))
            offset += words
          })
        }
        return {
          blockNumber,
          pools: existingPools.flatMap(
            ({ key: { address, ...key }, state, ticks }): ReadonlyArray<ConcentratedPool> =>
              ticks === null
                ? []
                : [{ _tag: "Concentrated", id: address, protocolFeePips: NO_PROTOCOL_FEE, ...key, ...state, ...ticks }]
          )
        }
      })

      const widen = Effect.fn("PoolReader.widen")(function* (
        chainId: EvmChainId,
        pool: ConcentratedPool,
        missingWord: number,
        blockNumber: bigint
      ) {
        if (pool.lastWord - pool.firstWord >= MAX_WORDS) return null
        const window = windowToward(pool, missingWord, pool.tickSpacing)
        const { results } = yield* multicall(chainId, tickCalls(chainId, Address.make(pool.id), window), blockNumber)
        const addedTicks = ticksOf(window, results)
        return addedTicks === null
          ? null
          : {
              ...pool,
              ticks: inAscendingOrder([...pool.ticks, ...addedTicks.ticks]),
              firstWord: Math.min(pool.firstWord, window.firstWord),
              lastWord: Math.max(pool.lastWord, window.lastWord)
            }
      })

      return PoolReader.of({ read, widen })
    })
  )
}

interface ReadCall {
  readonly target: Address
  readonly callData: Hex
}

type PoolState = Pick<ConcentratedPool, "sqrtPriceX96" | "tick" | "liquidity">
type TicksRead = Pick<ConcentratedPool, "ticks" | "firstWord" | "lastWord">
type CallResult = { readonly success: boolean; readonly returnData: Hex } | undefined

const blockNumberCall = encodeFunctionData({ abi: multicallAbi, functionName: "getBlockNumber" })
const slot0Call = encodeFunctionData({ abi: poolAbi, functionName: "slot0" })
const liquidityCall = encodeFunctionData({ abi: poolAbi, functionName: "liquidity" })

const stateCalls = (pool: Address): ReadonlyArray<ReadCall> => [
  { target: pool, callData: slot0Call },
  { target: pool, callData: liquidityCall }
]

/** Call data is the same on every chain and never changes: encoded once for each word of each pool. */
const tickCallData = new Map<string, Hex>()

const tickCall = (chainId: EvmChainId, pool: Address, word: number): ReadCall => {
  const key = `${pool}:${word}`
  const callData =
    tickCallData.get(key) ??
    encodeFunctionData({ abi: tickLensAbi, functionName: "getPopulatedTicksInWord", args: [hex(pool), word] })
  if (tickCallData.size >= MAX_REMEMBERED) tickCallData.clear()
  tickCallData.set(key, callData)
  return { target: deploymentOf(chainId).uniswapV3.tickLens, callData }
}

const tickCalls = (chainId: EvmChainId, pool: Address, window: TickWindow | null): ReadonlyArray<ReadCall> =>
  window === null ? [] : wordsOf(window).map((word) => tickCall(chainId, pool, word))

/** A call to an address without code succeeds and returns nothing. */
const isSuccess = (result: CallResult): result is { readonly success: true; readonly returnData: Hex } =>
  result?.success === true && result.returnData.length > 2

const stateOf = (slot0: CallResult, liquidity: CallResult): PoolState | null => {
  if (!isSuccess(slot0) || !isSuccess(liquidity)) return null
  const [sqrtPriceX96, tick] = decodeFunctionResult({ abi: poolAbi, functionName: "slot0", data: slot0.returnData })
  return sqrtPriceX96 === 0n
    ? null
    : {
        sqrtPriceX96,
        tick,
        liquidity: decodeFunctionResult({ abi: poolAbi, functionName: "liquidity", data: liquidity.returnData })
      }
}

/** The ticks of answers that came before: most words of most pools are the same from one block to the next. */
const decodedTicks = new Map<Hex, ReadonlyArray<InitializedTick>>()

const ticksInWord = (returnData: Hex): ReadonlyArray<InitializedTick> => {
  const cachedTicks = decodedTicks.get(returnData)
  if (cachedTicks !== undefined) {
    poolCacheMetrics.ticks.count(1, 0, decodedTicks.size)
    return cachedTicks
  }
  const populatedTicks = decodeFunctionResult({
    abi: tickLensAbi,
    functionName: "getPopulatedTicksInWord",
    data: returnData
  })
  const ticks = populatedTicks.map(({ liquidityNet, tick }) => ({ index: tick, liquidityNet }))
  if (decodedTicks.size >= MAX_REMEMBERED) decodedTicks.clear()
  decodedTicks.set(returnData, ticks)
  poolCacheMetrics.ticks.count(0, 1, decodedTicks.size)
  return ticks
}

const ticksOf = (window: TickWindow, results: ReadonlyArray<CallResult>): TicksRead | null => {
  if (!results.every(isSuccess)) return null
  return { ticks: inAscendingOrder(results.flatMap(({ returnData }) => ticksInWord(returnData))), ...window }
}

const isAround = (window: TickWindow, tick: number, tickSpacing: number): boolean => {
  const around = windowAround(tick, tickSpacing)
  return window.firstWord <= around.firstWord + 1 && window.lastWord >= around.lastWord - 1
}
