import { assert, describe, it } from "@effect/vitest"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { unrecordedTransfers } from "./freeTransfers.ts"

const [firstSender, otherSender] = [anAddress(), anAddress()]
const transfers = [
  { index: 0, amount: 100n, counterparty: firstSender },
  { index: 1, amount: 100n, counterparty: firstSender },
  { index: 2, amount: 100n, counterparty: otherSender }
]
const availableIndexes = (
  claimedIndexes: ReadonlyArray<number>,
  ...recordedAmounts: ReadonlyArray<readonly [string, bigint]>
) =>
  unrecordedTransfers(transfers, new Map(claimedIndexes.map((index) => [index, 100n])), new Map(recordedAmounts)).map(
    ({ index }) => index
  )

describe("The available transfers of an order", () => {
  it("are the transfers that no other operation has claimed", () => {
    assert.deepStrictEqual(availableIndexes([]), [0, 1, 2])
    assert.deepStrictEqual(availableIndexes([1]), [0, 2])
  })

  it("are the transfers that no other transaction has recorded, with or without a claim", () => {
    assert.deepStrictEqual(availableIndexes([], [firstSender, 100n]), [1, 2])
    assert.deepStrictEqual(availableIndexes([], [firstSender, 200n], [otherSender, 99n]), [2])
    assert.deepStrictEqual(availableIndexes([0], [firstSender, 100n]), [1, 2])
    assert.deepStrictEqual(availableIndexes([0], [firstSender, 200n]), [2])
  })
})
