import { assert, describe, it } from "@effect/vitest"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { transfersLeft } from "./freeTransfers.ts"

const [bank, other] = [anAddress(), anAddress()]
const transfers = [
  { index: 0, amount: 100n, counterparty: bank },
  { index: 1, amount: 100n, counterparty: bank },
  { index: 2, amount: 100n, counterparty: other }
]
const leftIndexes = (claimed: ReadonlyArray<number>, ...recorded: ReadonlyArray<readonly [string, bigint]>) =>
  transfersLeft(transfers, new Map(claimed.map((index) => [index, 100n])), new Map(recorded)).map(({ index }) => index)

describe("The available transfers of an order", () => {
  it("are the transfers that no other operation has claimed", () => {
    assert.deepStrictEqual(leftIndexes([]), [0, 1, 2])
    assert.deepStrictEqual(leftIndexes([1]), [0, 2])
  })

  it("are the transfers that no other transaction has recorded, with or without a claim", () => {
    assert.deepStrictEqual(leftIndexes([], [bank, 100n]), [1, 2])
    assert.deepStrictEqual(leftIndexes([], [bank, 200n], [other, 99n]), [2])
    assert.deepStrictEqual(leftIndexes([0], [bank, 100n]), [1, 2])
    assert.deepStrictEqual(leftIndexes([0], [bank, 200n]), [2])
  })
})
