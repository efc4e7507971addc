import { minBigInt, mulDivRoundingDown } from "../../foundation/primitives/index.ts"

/** A movement of one token, and its value at that time. The value is null if no price was available. */
export interface ValuedMovement {
  readonly direction: "IN" | "OUT"
  /** Base units, above zero. */
  readonly amount: bigint
  /** Millionths of a US dollar. */
  readonly usdE6: bigint | null
  readonly atMs: number
}

/** An amount of a token and its cost. The cost is null if the price of any part was unknown when it was received. */
export interface CostBasis {
  readonly units: bigint
  readonly costE6: bigint | null
}

/** Amounts for one token over a period, in millionths of a US dollar. Null if a required price is missing. */
export interface Profit {
  /** Total inflows and total outflows, including fees and gas. */
  readonly inflowE6: bigint | null
  readonly outflowE6: bigint | null
  /** Realized and unrealized gain. Negative for a loss. */
  readonly profitE6: bigint | null
  /** The value at the start plus all inflows. The profit in percent is relative to it. */
  readonly investedE6: bigint | null
  /** The holding at the end of the period, at average cost. */
  readonly holding: CostBasis
}

const EMPTY: CostBasis = { units: 0n, costE6: 0n }

/** Returns the sum. Null if any value is null. */
export const sumOrNull = (values: ReadonlyArray<bigint | null>): bigint | null =>
  values.reduce<bigint | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0n)

/**
 * Returns the cost basis after a movement, with the average cost method. An outflow takes its share of the cost,
 * rounded down. The remainder stays in the basis, so that no cost is lost.
 */
const basisAfter = ({ costE6, units }: CostBasis, { amount, direction, usdE6 }: ValuedMovement): CostBasis => {
  if (direction === "IN") return { units: units + amount, costE6: sumOrNull([costE6, usdE6]) }
  if (amount >= units) return EMPTY
  return {
    units: units - amount,
    costE6: costE6 === null ? null : costE6 - mulDivRoundingDown(costE6, amount, units)
  }
}

/**
 * Returns the value of the part of an outflow that has a recorded inflow. The remaining part counts as bought at the
 * price of the outflow, so it has no profit.
 */
const heldValueE6 = ({ units }: CostBasis, { amount, usdE6 }: ValuedMovement): bigint | null =>
  usdE6 === null && units > 0n ? null : mulDivRoundingDown(usdE6 ?? 0n, minBigInt(units, amount), amount)

/**
 * Returns profit and loss of one token from its movements, oldest first. `opening` returns the value of the balance
 * before the period, and `closing` that of the balance after it. They return null if no price is known. The profit is
 * closing value plus the outflows that have a recorded inflow, minus opening value and inflows. Over all time, it
 * equals the realized and unrealized profit at average cost.
 */
export const profitOf = (
  movements: ReadonlyArray<ValuedMovement>,
  fromMs: number,
  opening: (units: bigint) => bigint | null,
  closing: (units: bigint) => bigint | null
): Profit => {
  const isBefore = ({ atMs }: ValuedMovement) => atMs < fromMs
  const basisBefore = movements.filter(isBefore).reduce(basisAfter, EMPTY)
  const periodMovements = movements.filter((movement) => !isBefore(movement))
  let holding = basisBefore
  const heldCosts: Array<bigint | null> = []
  for (const movement of periodMovements) {
    if (movement.direction === "OUT") heldCosts.push(heldValueE6(holding, movement))
    holding = basisAfter(holding, movement)
  }
  const totalValueE6 = (direction: ValuedMovement["direction"]) =>
    sumOrNull(periodMovements.filter((movement) => movement.direction === direction).map(({ usdE6 }) => usdE6))
  const inflowE6 = totalValueE6("IN")
  const openingE6 = basisBefore.units === 0n ? 0n : opening(basisBefore.units)
  const investedE6 = sumOrNull([openingE6, inflowE6])
  const returnedE6 = sumOrNull([holding.units === 0n ? 0n : closing(holding.units), ...heldCosts])
  return {
    inflowE6,
    outflowE6: totalValueE6("OUT"),
    profitE6: returnedE6 === null || investedE6 === null ? null : returnedE6 - investedE6,
    investedE6,
    holding
  }
}
