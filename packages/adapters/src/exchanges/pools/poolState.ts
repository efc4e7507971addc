import {
  type ConcentratedPool,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
  NO_PROTOCOL_FEE,
  type Pool
} from "@countersign/core/trading/liquidity"
import { decodeFunctionResult, type Hex, hexToBigInt } from "viem"
import { encoderOf, type ReadCall, wordAt } from "../../chains/evm/index.ts"
import { pairAbi, poolAbi, poolManagerAbi } from "./abi.ts"
import type { CallResult } from "./multicall.ts"
import type { PairKey, PoolKey, V3Key, V4Key } from "./PoolKey.ts"
import { emptyWindowAt } from "./tickWindow.ts"
import { v4Slots } from "./v4Slots.ts"

const pairData = encoderOf(pairAbi)
const poolData = encoderOf(poolAbi)
const poolManagerData = encoderOf(poolManagerAbi)

const reservesCall = pairData("getReserves", [])
const slot0Call = poolData("slot0", [])
const liquidityCall = poolData("liquidity", [])
const tickSpacingCall = poolData("tickSpacing", [])

/** Builds the calls that read a pool's state. The tick spacing is immutable, so it is requested only once. */
export const stateCalls = (key: PoolKey, knownPool: Pool | null): ReadonlyArray<ReadCall> => {
  if (key._tag === "V2") return [{ target: key.address, callData: reservesCall }]
  if (key._tag === "V4") {
    const { liquidity, slot0 } = v4Slots(key.id)
    const callData = poolManagerData("extsload", [[slot0, liquidity]])
    return [{ target: key.poolManager, callData }]
  }
  return [slot0Call, liquidityCall, ...(knownPool === null ? [tickSpacingCall] : [])].map((callData) => ({
    target: key.address,
    callData
  }))
}

type ConcentratedState = Pick<
  ConcentratedPool,
  "sqrtPriceX96" | "tick" | "liquidity" | "protocolFeePips" | "tickSpacing" | "feePips"
>

/** Decodes a signed 24-bit tick from the low bits of a word. */
const tickFrom = (bits: bigint): number => Number(BigInt.asIntN(24, bits))

/** Decodes the first two words of `slot0`. In forks the later words have other widths. */
const v3State = (
  { feePips }: V3Key,
  knownPool: Pool | null,
  results: ReadonlyArray<CallResult>
): ConcentratedState | null => {
  const [slot0, liquidity, spacing] = results
  if (slot0 == null || liquidity == null) return null
  const tickSpacing =
    knownPool?._tag === "Concentrated" ? knownPool.tickSpacing : spacing == null ? null : tickFrom(BigInt(spacing))
  if (tickSpacing === null) return null
  return {
    sqrtPriceX96: wordAt(slot0, 0),
    tick: tickFrom(wordAt(slot0, 1)),
    liquidity: hexToBigInt(liquidity),
    protocolFeePips: NO_PROTOCOL_FEE,
    tickSpacing,
    feePips
  }
}

const PROTOCOL_FEE_BITS = 12n
const PROTOCOL_FEE_MASK = 0xfffn

/**
 * Decodes V4's `slot0`. From the low bits: price (160), tick (24), protocol fee (12 per direction), the pool's fee
 * (24).
 */
const v4State = ({ feePips, tickSpacing }: V4Key, values: ReadonlyArray<Hex>): ConcentratedState => {
  const [slot0, liquidity] = values.map((value) => hexToBigInt(value))
  const protocolFee = (slot0! >> 184n) & 0xffffffn
  return {
    sqrtPriceX96: BigInt.asUintN(160, slot0!),
    tick: tickFrom(slot0! >> 160n),
    liquidity: BigInt.asUintN(128, liquidity!),
    protocolFeePips:
      protocolFee === 0n
        ? NO_PROTOCOL_FEE
        : {
            zeroForOne: Number(protocolFee & PROTOCOL_FEE_MASK),
            oneForZero: Number(protocolFee >> PROTOCOL_FEE_BITS)
          },
    tickSpacing,
    feePips
  }
}

/** `TickMath.MAX_TICK_SPACING` of v4-core. The factories of V3 allow smaller values only. */
const MAX_TICK_SPACING = 32_767

/**
 * Whether a pool can have these values. With a tick spacing that is not positive, the steps of a swap would never end.
 * A pool that is not initialized has the price zero.
 */
const isPossible = ({ sqrtPriceX96, tick, tickSpacing }: ConcentratedState): boolean =>
  sqrtPriceX96 >= MIN_SQRT_PRICE_X96 &&
  sqrtPriceX96 < MAX_SQRT_PRICE_X96 &&
  tick >= MIN_TICK &&
  tick < MAX_TICK &&
  tickSpacing > 0 &&
  tickSpacing <= MAX_TICK_SPACING

/** Builds the pool with the ticks that were read before. A new pool has no ticks yet. */
const concentratedPool = (
  key: V3Key | V4Key,
  knownPool: Pool | null,
  state: ConcentratedState
): ConcentratedPool | null => {
  if (!isPossible(state)) return null
  if (knownPool?._tag !== "Concentrated") {
    const { id, token0, token1 } = key
    const window = emptyWindowAt(state.tick, state.tickSpacing)
    return { _tag: "Concentrated", id, token0, token1, ...state, ticks: [], ...window }
  }
  const isUnchanged =
    knownPool.sqrtPriceX96 === state.sqrtPriceX96 &&
    knownPool.tick === state.tick &&
    knownPool.liquidity === state.liquidity &&
    knownPool.protocolFeePips.zeroForOne === state.protocolFeePips.zeroForOne &&
    knownPool.protocolFeePips.oneForZero === state.protocolFeePips.oneForZero
  // Returns the same object if nothing changed, so that cached computations stay valid.
  return isUnchanged ? knownPool : { ...knownPool, ...state }
}

const pairPool = (key: PairKey, knownPool: Pool | null, result: CallResult): Pool | null => {
  if (result == null) return null
  const [reserve0, reserve1] = decodeFunctionResult({ abi: pairAbi, functionName: "getReserves", data: result })
  if (reserve0 === 0n || reserve1 === 0n) return null
  if (knownPool?._tag === "ConstantProduct" && knownPool.reserve0 === reserve0 && knownPool.reserve1 === reserve1)
    return knownPool
  const { feeDenominator, feeNumerator, id, token0, token1 } = key
  return { _tag: "ConstantProduct", id, token0, token1, reserve0, reserve1, feeNumerator, feeDenominator }
}

/**
 * Builds the pool from the results of its state calls. Null if the pool does not exist, is not initialized or has
 * impossible values, or if a V2 pair is empty.
 */
export const poolFrom = (key: PoolKey, knownPool: Pool | null, results: ReadonlyArray<CallResult>): Pool | null => {
  if (key._tag === "V2") return pairPool(key, knownPool, results[0] ?? null)
  if (key._tag === "V4") {
    const [result] = results
    if (result == null) return null
    const values = decodeFunctionResult({ abi: poolManagerAbi, functionName: "extsload", data: result })
    return concentratedPool(key, knownPool, v4State(key, values))
  }
  const state = v3State(key, knownPool, results)
  return state === null ? null : concentratedPool(key, knownPool, state)
}

/** Whether an id is a V4 pool id (32 bytes) and not an address. */
export const isV4Id = (id: string): boolean => id.length === 66
