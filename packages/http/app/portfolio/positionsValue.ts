import type { Portfolio } from "../../src/client/index.ts"
import { decimalRoundedUp, fixedPointOf } from "../decimals.ts"

export type PositionsOf = Pick<Portfolio, "lendingPositions" | "liquidityPositions">

/** Returns the value of the positions less debts, in US dollars. Null if the value of a position is unknown. */
export const valueOfPositions = ({ lendingPositions, liquidityPositions }: PositionsOf): string | null => {
  const values = [
    ...liquidityPositions.map(({ valueUSD }) => valueUSD),
    ...lendingPositions.map(({ positionType, valueUsd }) =>
      valueUsd !== null && positionType === "borrow" ? `-${valueUsd}` : valueUsd
    )
  ].map((value) => (value === null ? null : fixedPointOf(value)))
  return values.includes(null)
    ? null
    : decimalRoundedUp(
        values.reduce<bigint>((sum, value) => sum + value!, 0n),
        2
      )
}
