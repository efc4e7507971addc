import type { Address } from "../../../foundation/primitives/index.ts"

export interface InitializedTick {
  readonly index: number
  readonly liquidityNet: bigint
}

/**
 * The state of a pool with concentrated liquidity at one block, with the ticks that were read. The pool may belong to
 * Uniswap V3, to a fork with the same swap step (PancakeSwap V3), or to Uniswap V4 without a hook.
 */
export interface ConcentratedPool {
  readonly _tag: "Concentrated"
  /** Unique on its chain: the contract's address in lower case, or the 32-byte id of a Uniswap V4 pool. */
  readonly id: string
  /**
   * In the pool's order. Routes connect pools with equal tokens, so the adapter sets the tokens that its router can
   * connect.
   */
  readonly token0: Address
  readonly token1: Address
  /** The fee in the pool's key, in millionths of the input. */
  readonly feePips: number
  /**
   * The protocol fee of Uniswap V4 per direction, in millionths. Zero for V3, where the protocol receives a share of
   * `feePips`.
   */
  readonly protocolFeePips: { readonly zeroForOne: number; readonly oneForZero: number }
  readonly tickSpacing: number
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
  /** Sorted by index, ascending. */
  readonly ticks: ReadonlyArray<InitializedTick>
  /** The inclusive range of bitmap words that `ticks` covers. A word has 256 multiples of the tick spacing. */
  readonly firstWord: number
  readonly lastWord: number
}

export const NO_PROTOCOL_FEE: ConcentratedPool["protocolFeePips"] = { zeroForOne: 0, oneForZero: 0 }

const PIPS = 1_000_000

/**
 * The fee of a swap in one direction, in millionths. The pool fee applies to the amount after the protocol fee. Rounded
 * up, as in `ProtocolFeeLibrary.calculateSwapFee` (v4-core).
 */
export const swapFeePips = ({ feePips, protocolFeePips }: ConcentratedPool, zeroForOne: boolean): number => {
  const protocolFee = zeroForOne ? protocolFeePips.zeroForOne : protocolFeePips.oneForZero
  return protocolFee + feePips - Math.floor((protocolFee * feePips) / PIPS)
}

/** The bitmap word of a tick. */
export const wordOfTick = (tick: number, tickSpacing: number): number => Math.floor(tick / tickSpacing) >> 8

/** The array position of the first tick whose index is at least `index`. */
const lowerBound = (ticks: ReadonlyArray<InitializedTick>, index: number): number => {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ticks[middle]!.index < index) low = middle + 1
    else high = middle
  }
  return low
}

export interface NextTick {
  readonly index: number
  /** Null if the word has no further initialized tick. Then the index is the end of the word. */
  readonly liquidityNet: bigint | null
}

/**
 * The next tick in the direction of a swap, within the bitmap word, as in
 * `TickBitmap.nextInitializedTickWithinOneWord`. The end of a word counts, even without an initialized tick, because
 * each step rounds and must be the same as in the contract. Null if the word was not read.
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
