import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import type { ConcentratedPool, InitializedTick } from "@countersign/core/trading/liquidity"
import { decodeFunctionResult, type Hex, hexToBigInt, type PublicClient } from "viem"
import { deploymentOf } from "../../chains/deployments/index.ts"
import { encoderOf, type ReadCall } from "../../chains/evm/index.ts"
import { poolManagerAbi, tickLensAbi } from "./abi.ts"
import { type CallResult, multicall, type PoolBlock } from "./multicall.ts"
import { isV4Id } from "./poolState.ts"
import { inAscendingOrder, type TickWindow, wordsOf } from "./tickWindow.ts"
import { v4Slots } from "./v4Slots.ts"

const tickLensData = encoderOf(tickLensAbi)
const poolManagerData = encoderOf(poolManagerAbi)

/** The words of a pool's tick bitmap to read. */
export interface WantedTicks {
  readonly pool: ConcentratedPool
  readonly window: TickWindow
}

type Ticks = ReadonlyArray<InitializedTick>

/** Builds the calls of TickLens. It can also read forks of Uniswap V3, because they store ticks in the same way. */
const lensCalls = (chainId: EvmChainId, { pool, window }: WantedTicks): ReadonlyArray<ReadCall> =>
  wordsOf(window).map((word) => ({
    target: deploymentOf(chainId).uniswapV3.tickLens,
    callData: tickLensData("getPopulatedTicksInWord", [pool.id as Hex, word])
  }))

const ticksOfLens = (results: ReadonlyArray<CallResult>): Ticks | null =>
  results.some((result) => result === null)
    ? null
    : inAscendingOrder(
        results.flatMap((data) =>
          decodeFunctionResult({ abi: tickLensAbi, functionName: "getPopulatedTicksInWord", data: data! }).map(
            ({ liquidityNet, tick }) => ({ index: tick, liquidityNet })
          )
        )
      )

const slotsCall = (poolManager: Address, slots: ReadonlyArray<Hex>): ReadCall => ({
  target: poolManager,
  callData: poolManagerData("extsload", [[...slots]])
})

const valuesOf = (result: CallResult): ReadonlyArray<bigint> | null =>
  result === null
    ? null
    : decodeFunctionResult({ abi: poolManagerAbi, functionName: "extsload", data: result }).map((value) =>
        hexToBigInt(value)
      )

const BITS_OF_WORD = 256

const tickIndexes = (words: ReadonlyArray<number>, bitmaps: ReadonlyArray<bigint>, tickSpacing: number) =>
  words.flatMap((word, i) => {
    const bitmap = bitmaps[i]!
    const indexes: Array<number> = []
    for (let bit = 0; bit < BITS_OF_WORD; bit++) {
      if ((bitmap >> BigInt(bit)) & 1n) indexes.push((word * BITS_OF_WORD + bit) * tickSpacing)
    }
    return indexes
  })

/** Reads the ticks in each pool's window at a block, by pool id. Omits a pool whose ticks can't be read. */
export const readTicks = async (
  client: PublicClient,
  chainId: EvmChainId,
  wantedTicks: ReadonlyArray<WantedTicks>,
  block: PoolBlock
): Promise<ReadonlyMap<string, Ticks>> => {
  const poolManager = deploymentOf(chainId).uniswapV4?.poolManager
  const v4Ticks = wantedTicks.filter(({ pool }) => isV4Id(pool.id))
  const lensTicks = wantedTicks.filter(({ pool }) => !isV4Id(pool.id))
  const calls = lensTicks.map((each) => lensCalls(chainId, each))
  const bitmapCalls = v4Ticks.map(({ pool, window }) =>
    slotsCall(poolManager!, wordsOf(window).map(v4Slots(pool.id).bitmapWord))
  )
  const { results } = await multicall(client, chainId, [...calls.flat(), ...bitmapCalls], block)

  const ticksById = new Map<string, Ticks>()
  let offset = 0
  lensTicks.forEach(({ pool }, i) => {
    const ticks = ticksOfLens(results.slice(offset, offset + calls[i]!.length))
    if (ticks !== null) ticksById.set(pool.id, ticks)
    offset += calls[i]!.length
  })

  // Uniswap V4 has no TickLens, so the bitmap is read first and the ticks in a second request.
  const indexes = v4Ticks.map(({ pool, window }, i) => {
    const bitmaps = valuesOf(results[offset + i]!)
    return bitmaps === null ? null : tickIndexes(wordsOf(window), bitmaps, pool.tickSpacing)
  })
  const indexesWithTicks = indexes.flatMap((poolIndexes, i) =>
    poolIndexes === null || poolIndexes.length === 0 ? [] : [i]
  )
  const tickCalls = indexesWithTicks.map((i) =>
    slotsCall(poolManager!, indexes[i]!.map(v4Slots(v4Ticks[i]!.pool.id).tick))
  )
  const responses = tickCalls.length === 0 ? [] : (await multicall(client, chainId, tickCalls, block)).results
  v4Ticks.forEach(({ pool }, i) => {
    const poolIndexes = indexes[i]
    if (poolIndexes == null) return
    const values = poolIndexes.length === 0 ? [] : valuesOf(responses[indexesWithTicks.indexOf(i)]!)
    // A tick's word contains the gross liquidity in the low half and the net liquidity in the high half.
    if (values !== null) {
      ticksById.set(
        pool.id,
        poolIndexes.map((index, at) => ({ index, liquidityNet: BigInt.asIntN(128, values[at]! >> 128n) }))
      )
    }
  })
  return ticksById
}
