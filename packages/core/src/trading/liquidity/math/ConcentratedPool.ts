import type { Address } from "../../../foundation/primitives/index.ts"

export interface InitializedTick {
  readonly index: number
  readonly liquidityNet: bigint
}

/**
 * The state of a concentrated-liquidity pool at one block, with the ticks that were read. The pool belongs to Uniswap
 * V3, to a fork with the same swap step (PancakeSwap V3), or to Uniswap V4 without hooks.
 */
export interface ConcentratedPool {
  readonly _tag: "Concentrated"
  /** Unique on its chain: the contract's address in lower case, or the 32-byte id of a Uniswap V4 pool. */
  readonly id: string
  /**
   * In the pool's order. A route connects pools that have a token in common, so the adapter sets the addresses that its
   * router treats as the same token.
   */
  readonly token0: Address
  readonly token1: Address
  /** The fee in the pool key, in millionths of the input. */
  readonly feePips: number
  /**
   * The Uniswap V4 protocol fee for each direction, in millionths. Zero for V3, where the protocol receives a share of
   * `feePips`.
   */
  readonly protocolFeePips: { readonly zeroForOne: number; readonly oneForZero: number }
  readonly tickSpacing: number
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  /** The initialized ticks, sorted by index, ascending. */
  readonly ticks: ReadonlyArray<InitializedTick>
  /**
   * First and last bitmap word that `ticks` covers, both inclusive. A word covers 256 multiples of the tick spacing.
   */
  readonly firstWord: number
  readonly lastWord: number
}

export const NO_PROTOCOL_FEE: ConcentratedPool["protocolFeePips"] = { zeroForOne: 0, oneForZero: 0 }

const PIPS = 1_000_000

/**
 * Returns the total swap fee in one direction, in millionths. The pool fee applies to the amount that remains after the
 * protocol fee. Rounded up, as in `ProtocolFeeLibrary.calculateSwapFee` (v4-core).
 */
export const swapFeePips = ({ feePips, protocolFeePips }: ConcentratedPool, zeroForOne: boolean): number => {
  const protocolFee = zeroForOne ? protocolFeePips.zeroForOne : protocolFeePips.oneForZero
  return protocolFee + feePips - Math.floor((protocolFee * feePips) / PIPS)
}

/** Returns the index of the bitmap word that contains a tick. */
export const tickToWord = (tick: number, tickSpacing: number): number => Math.floor(tick / tickSpacing) >> 8

/** Returns the position in the array of the first tick whose index is at least `index`. */
const lowerBound = (ticks: ReadonlyArray<InitializedTick>, index: number): number => {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const midpoint = (low + high) >> 1
    if (ticks[midpoint]!.index < index) low = midpoint + 1
    else high = midpoint
  }
  return low
}

export interface NextTick {
  readonly index: number
  /** Null if the word contains no further initialized tick. `index` is then the end of the word. */
  readonly liquidityNet: bigint | null
}

/**
 * Returns the next tick in the swap direction within the bitmap word, as `TickBitmap.nextInitializedTickWithinOneWord`
 * does. The swap also steps to the end of a word without an initialized tick, because each step rounds and must match
 * the contract. Null if the word was not read.
 */
export const nextTickWithinWord = (pool: ConcentratedPool, tick: number, zeroForOne: boolean): NextTick | null => {
  const compressedTick = Math.floor(tick / pool.tickSpacing)
  const tickIndex = zeroForOne ? compressedTick : compressedTick + 1
  const word = tickIndex >> 8
  if (word < pool.firstWord || word > pool.lastWord) return null
  if (zeroForOne) {
    const nextTick = pool.ticks[lowerBound(pool.ticks, tickIndex * pool.tickSpacing + 1) - 1]
    const end = (word << 8) * pool.tickSpacing
    return nextTick !== undefined && nextTick.index >= end ? nextTick : { index: end, liquidityNet: null }
  }
  const nextTick = pool.ticks[lowerBound(pool.ticks, tickIndex * pool.tickSpacing)]
  const end = ((word << 8) + 255) * pool.tickSpacing
  return nextTick !== undefined && nextTick.index <= end ? nextTick : { index: end, liquidityNet: null }
}
