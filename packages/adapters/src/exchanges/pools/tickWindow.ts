import { type InitializedTick, MAX_TICK, MIN_TICK, tickToWord } from "@countersign/core/trading/liquidity"

/** A range of words of a pool's tick bitmap, both ends inclusive. */
export interface TickWindow {
  readonly firstWord: number
  readonly lastWord: number
}

/**
 * Returns the number of words on each side of the price in the first read. They cover a price change of 8 % for a
 * spacing of 1, and 29 % for a spacing of 10.
 */
const radiusOf = (tickSpacing: number): number => (tickSpacing < 10 ? 3 : 1)

/** Returns a window without words at a price. `windowToward` continues from it in both directions. */
export const emptyWindowAt = (tick: number, tickSpacing: number): TickWindow => {
  const word = tickToWord(tick, tickSpacing)
  return { firstWord: word, lastWord: word - 1 }
}

export const windowAround = (tick: number, tickSpacing: number): TickWindow => {
  const word = tickToWord(tick, tickSpacing)
  const radius = radiusOf(tickSpacing)
  return { firstWord: word - radius, lastWord: word + radius }
}

/**
 * Returns the window to read next, in the direction of the missing word. Unless the tick range ends, it is at least as
 * wide as the current window, so that a long distance needs few round trips.
 */
export const windowToward = (window: TickWindow, missing: number, tickSpacing: number): TickWindow => {
  const width = window.lastWord - window.firstWord + 1
  const lowest = tickToWord(MIN_TICK, tickSpacing)
  const highest = tickToWord(MAX_TICK, tickSpacing)
  return missing < window.firstWord
    ? { firstWord: Math.max(lowest, Math.min(missing, window.firstWord - width)), lastWord: window.firstWord - 1 }
    : { firstWord: window.lastWord + 1, lastWord: Math.min(highest, Math.max(missing, window.lastWord + width)) }
}

export const wordsOf = ({ firstWord, lastWord }: TickWindow): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, lastWord - firstWord + 1) }, (_, i) => firstWord + i)

export const inAscendingOrder = (ticks: ReadonlyArray<InitializedTick>): ReadonlyArray<InitializedTick> =>
  [...ticks].sort((a, b) => a.index - b.index)

/**
 * Whether a window still covers the range that a first read around this price would request, except for one word on
 * each side.
 */
export const isAround = (window: TickWindow, tick: number, tickSpacing: number): boolean => {
  const freshWindow = windowAround(tick, tickSpacing)
  return window.firstWord <= freshWindow.firstWord + 1 && window.lastWord >= freshWindow.lastWord - 1
}
