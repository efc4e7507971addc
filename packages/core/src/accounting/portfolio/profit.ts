import { lesser, mulDivRoundingDown } from "../../foundation/primitives/index.ts"

/** A movement of one token, with its value at that time; null if no price was available. */
export interface ValuedMovement {
  readonly direction: "IN" | "OUT"
  /** Base units, above zero. */
  readonly amount: bigint
  /** Millionths of a US dollar. */
  readonly usdE6: bigint | null
  readonly atMs: number
}

/** An amount of a token and its cost. The cost is null if the price of a part was unknown when it came in. */
export interface CostBasis {
  readonly units: bigint
  readonly costE6: bigint | null
}

/** Figures of one token over a period, in millionths of a US dollar. Null if a required price is missing. */
export interface Profit {
  /** The sum of all inflows and the sum of all outflows, including fees and gas. */
  readonly inflowE6: bigint | null
  readonly outflowE6: bigint | null
  /** The gain (negative for a loss), realised and unrealised. */
  readonly profitE6: bigint | null
  /** The value at the beginning plus all inflows. The percentage of the profit refers to it. */
  readonly investedE6: bigint | null
  /** At the end of the period, at average cost. */
  readonly holding: CostBasis
}

const EMPTY: CostBasis = { units: 0n, costE6: 0n }

/** The sum; null if one of the values is null. */
export const sumOrNull = (values: ReadonlyArray<bigint | null>): bigint | null =>
  values.reduce<bigint | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0n)

/** Average cost. An outflow takes its share of the cost, rounded down, so that no cost is lost. */
const basisAfter = ({ costE6, units }: CostBasis, { amount, direction, usdE6 }: ValuedMovement): CostBasis => {
  if (direction === "IN") return { units: units + amount, costE6: sumOrNull([costE6, usdE6]) }
  if (amount >= units) return EMPTY
  return {
    units: units - amount,
    costE6: costE6 === null ? null : costE6 - mulDivRoundingDown(costE6, amount, units)
  }
}

/**
 * The value of the recorded part of an outflow. The rest came in without a recorded movement. It counts as bought at
 * the price of the outflow, and has no profit.
 */
const heldPartE6 = ({ units }: CostBasis, { amount, usdE6 }: ValuedMovement): bigint | null =>
  usdE6 === null && units > 0n ? null : mulDivRoundingDown(usdE6 ?? 0n, lesser(units, amount), amount)

/**
 * Profit and loss of one token, from its movements only, oldest first. `opening` returns the value of the balance
 * before the period, and `closing` the value of the balance after it; null if no price is known. The profit is closing
 * value plus outflows, less opening value and inflows. Over all time the profit equals the realised and unrealised
 * profit at average cost.
 */
export const profitOf = (
  movements: ReadonlyArray<ValuedMovement>,
  fromMs: number,
  opening: (units: bigint) => bigint | null,
  closing: (units: bigint) => bigint | null
): Profit => {
  const isBefore = ({ atMs }: ValuedMovement) => atMs < fromMs
  const basisBefore = movements.filter(isBefore).reduce(basisAfter, EMPTY)
  const during = movements.filter((movement) => !isBefore(movement))
  let holding = basisBefore
  const heldParts: Array<bigint | null> = []
  for (const movement of during) {
    if (movement.direction === "OUT") heldParts.push(heldPartE6(holding, movement))
    holding = basisAfter(holding, movement)
  }
  const totalValueE6 = (direction: ValuedMovement["direction"]) =>
    sumOrNull(during.filter((movement) => movement.direction === direction).map(({ usdE6 }) => usdE6))
  const inflowE6 = totalValueE6("IN")
  const openingE6 = basisBefore.units === 0n ? 0n : opening(basisBefore.units)
  const investedE6 = sumOrNull([openingE6, inflowE6])
  const returnedE6 = sumOrNull([holding.units === 0n ? 0n : closing(holding.units), ...heldParts])
  return {
    inflowE6,
    outflowE6: totalValueE6("OUT"),
    profitE6: returnedE6 === null || investedE6 === null ? null : returnedE6 - investedE6,
    investedE6,
    holding
  }
}
