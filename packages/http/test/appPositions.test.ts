import { assert, describe, it } from "@effect/vitest"
import { type PositionsOf, valueOfPositions } from "../app/portfolio/positionsValue.ts"

const positionsOf = (
  liquidity: ReadonlyArray<string | null>,
  lending: ReadonlyArray<readonly ["supply" | "borrow", string | null]>
) =>
  ({
    liquidityPositions: liquidity.map((valueUSD) => ({ valueUSD })),
    lendingPositions: lending.map(([positionType, valueUsd]) => ({ positionType, valueUsd }))
  }) as PositionsOf

describe("the value of positions", () => {
  it("adds liquidity and supplies, and subtracts debts, with all digits", () => {
    const allPositions = positionsOf(
      ["0.1", "9007199254740993.10"],
      [
        ["supply", "0.2"],
        ["borrow", "0.05"]
      ]
    )
    assert.strictEqual(valueOfPositions(allPositions), "9007199254740993.35")
    assert.strictEqual(valueOfPositions(positionsOf([], [["borrow", "12.34"]])), "-12.34")
  })

  it("is unknown if the value of one position is unknown", () => {
    assert.isNull(valueOfPositions(positionsOf(["1", null], [])))
    assert.isNull(valueOfPositions(positionsOf(["1"], [["borrow", null]])))
  })
})
