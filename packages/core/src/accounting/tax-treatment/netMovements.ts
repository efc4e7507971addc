import { minBigInt } from "../../foundation/primitives/index.ts"
import { isSameAsset } from "../../foundation/tokens/index.ts"
import type { Movement } from "../history/index.ts"
import type { TaxLeg } from "./TaxEntry.ts"

/** A movement, and the amount of it that no leg covers yet. */
export interface MovementPart {
  readonly movement: Movement
  readonly amount: bigint
}

export interface NetMovements {
  /** The amount of each asset that moved both out and in. */
  readonly passThrough: ReadonlyArray<TaxLeg>
  /** The remaining movements. Each asset moves in only one direction. */
  readonly rest: ReadonlyArray<MovementPart>
}

/** Separates the amounts that moved out and in again from the remaining amounts. */
export const netMovements = (parts: ReadonlyArray<MovementPart>): NetMovements => {
  const sumOf = (of: Movement, direction: Movement["direction"], among = parts): bigint =>
    among.reduce(
      (sum, { amount, movement }) =>
        movement.direction === direction && isSameAsset(movement.asset, of.asset) ? sum + amount : sum,
      0n
    )
  const splitParts = parts.map(({ amount, movement }, index) => {
    const passThroughAmount = minBigInt(sumOf(movement, "IN"), sumOf(movement, "OUT"))
    const amountBefore = minBigInt(passThroughAmount, sumOf(movement, movement.direction, parts.slice(0, index)))
    return { amount, movement, passThrough: minBigInt(amount, passThroughAmount - amountBefore) }
  })
  return {
    passThrough: splitParts.flatMap(
      ({ movement, passThrough }): ReadonlyArray<TaxLeg> =>
        passThrough === 0n ? [] : [{ movement, amount: passThrough, kind: "PASS_THROUGH", holding: null }]
    ),
    rest: splitParts.flatMap(({ amount, movement, passThrough }) =>
      passThrough === amount ? [] : [{ movement, amount: amount - passThrough }]
    )
  }
}
