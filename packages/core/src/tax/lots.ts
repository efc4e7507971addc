import { sumOrNull } from "../portfolio/index.ts"
import { lesser, mulDivRoundingDown } from "../primitives/index.ts"

/** A change of what is held of one asset, with its value in one currency; null where that is not known. */
export interface LotChange {
  readonly direction: "IN" | "OUT"
  /** Base units, above zero. */
  readonly amount: bigint
  /** Millionths of the currency. */
  readonly valueE6: bigint | null
  readonly atMs: number
}

/** What is left of something that came in, and what that cost. */
export interface Lot {
  readonly units: bigint
  readonly costE6: bigint | null
  readonly atMs: number
}

/** What went out, at which cost, and the gain: value less cost, below zero for a loss. Null where a value is not known. */
export interface Disposal {
  readonly costE6: bigint | null
  readonly gainE6: bigint | null
  /** The part that came in by no recorded movement: it counts as bought for what it went out at, and has no gain. */
  readonly unmatched: bigint
}

export interface LotBook {
  /** Of each change; null for what came in. */
  readonly disposals: ReadonlyArray<Disposal | null>
  /** Oldest first. */
  readonly lots: ReadonlyArray<Lot>
}

/** The part of a lot, and its share of the cost, rounded down; what is left has the rest, so that no cost is lost. */
const split = ({ costE6, units, atMs }: Lot, wanted: bigint) => {
  const taken = lesser(units, wanted)
  const takenCostE6 = costE6 === null ? null : mulDivRoundingDown(costE6, taken, units)
  const rest: Lot = {
    atMs,
    units: units - taken,
    costE6: costE6 === null || takenCostE6 === null ? null : costE6 - takenCostE6
  }
  return { taken, takenCostE6, rest }
}

/** The lots of one asset by first in, first out, from changes in the order of time. */
export const lotsOf = (changes: ReadonlyArray<LotChange>): LotBook => {
  const lots: Array<Lot> = []
  let first = 0

  const dispose = ({ amount, valueE6 }: LotChange): Disposal => {
    let wanted = amount
    let lotCostE6: bigint | null = 0n
    while (wanted > 0n && first < lots.length) {
      const { rest, taken, takenCostE6 } = split(lots[first]!, wanted)
      wanted -= taken
      lotCostE6 = sumOrNull([lotCostE6, takenCostE6])
      lots[first] = rest
      if (rest.units === 0n) first += 1
    }
    const matched = amount - wanted
    if (matched === 0n) return { costE6: valueE6, gainE6: valueE6 === null ? null : 0n, unmatched: wanted }
    const proceedsE6 = valueE6 === null ? null : mulDivRoundingDown(valueE6, matched, amount)
    const gainE6 = proceedsE6 === null || lotCostE6 === null ? null : proceedsE6 - lotCostE6
    return {
      costE6: valueE6 === null || proceedsE6 === null ? null : sumOrNull([lotCostE6, valueE6 - proceedsE6]),
      gainE6,
      unmatched: wanted
    }
  }

  const disposals = changes.map((change) => {
    if (change.direction === "OUT") return dispose(change)
    lots.push({ units: change.amount, costE6: change.valueE6, atMs: change.atMs })
    return null
  })
  return { disposals, lots: lots.slice(first) }
}
