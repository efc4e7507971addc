/** A price range, and the current price, as ticks. */
export interface TickRange {
  readonly tickLower: number
  readonly tickUpper: number
  readonly tick: number
}

const INSIDE = 32
const OUTSIDE = 8

/**
 * Draws a range as one line of fixed width: `········[━━━━━━━●━━━━━━━]········`. A price outside of the range is drawn
 * beside it, or at the edge of the line if it is too far away.
 */
export const drawRange = ({ tick, tickLower, tickUpper }: TickRange): string => {
  const cells = [
    ...Array<string>(OUTSIDE).fill("·"),
    "[",
    ...Array<string>(INSIDE).fill("━"),
    "]",
    ...Array<string>(OUTSIDE).fill("·")
  ]
  const ticksPerCell = (tickUpper - tickLower) / INSIDE
  const firstCellOutside = OUTSIDE + 1
  const markIndex = () => {
    if (tick < tickLower) return Math.max(0, OUTSIDE - 1 - Math.floor((tickLower - 1 - tick) / ticksPerCell))
    if (tick >= tickUpper)
      return Math.min(cells.length - 1, firstCellOutside + INSIDE + 1 + Math.floor((tick - tickUpper) / ticksPerCell))
    return firstCellOutside + Math.floor((tick - tickLower) / ticksPerCell)
  }
  cells[markIndex()] = "●"
  return cells.join("")
}
