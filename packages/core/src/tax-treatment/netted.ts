import type { Movement } from "../history/index.ts"
import { lesser } from "../primitives/index.ts"
import { isSameAsset } from "../tokens/index.ts"
import type { TaxLeg } from "./TaxEntry.ts"

/** A part of a movement that is not a leg yet. */
export interface MovementPart {
  readonly movement: Movement
  readonly amount: bigint
}

export interface Netted {
  /** As much of each asset as went out and came in. */
  readonly passing: ReadonlyArray<TaxLeg>
  /** The rest. Each asset goes one way only. */
  readonly rest: ReadonlyArray<MovementPart>
}

/** Parts without what went out and came in again. */
export const netted = (parts: ReadonlyArray<MovementPart>): Netted => {
  const sumOf = (of: Movement, direction: Movement["direction"], among = parts): bigint =>
    among.reduce(
      (sum, { amount, movement }) =>
        movement.direction === direction && isSameAsset(movement.asset, of.asset) ? sum + amount : sum,
      0n
    )
  const split = parts.map(({ amount, movement }, place) => {
    const through = lesser(sumOf(movement, "IN"), sumOf(movement, "OUT"))
    const before = lesser(through, sumOf(movement, movement.direction, parts.slice(0, place)))
    return { amount, movement, passing: lesser(amount, through - before) }
  })
  return {
    passing: split.flatMap(
      ({ movement, passing }): ReadonlyArray<TaxLeg> =>
        passing === 0n ? [] : [{ movement, amount: passing, kind: "PASS_THROUGH", holding: null }]
    ),
    rest: split.flatMap(({ amount, movement, passing }) =>
      passing === amount ? [] : [{ movement, amount: amount - passing }]
    )
  }
}
