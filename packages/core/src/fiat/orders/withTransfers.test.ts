import { assert, describe, it } from "@effect/vitest"
import { aMovement, aTransaction } from "../../accounting/history/Transaction.fixture.ts"
import { aHash, anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { reorgChange } from "../../operations/executions/finality/FinalityStage.ts"
import { aFiatQuote } from "./FiatOrder.fixture.ts"
import type { OrderTransfer } from "./orderTransfers.ts"
import { withTransfers } from "./withTransfers.ts"

const transferOf = (direction: "IN" | "OUT", number: bigint): OrderTransfer => ({
  chainId: 1,
  hash: aHash(),
  block: { number, hash: aHash() },
  direction,
  amount: 5n,
  usd: null,
  counterparty: anAddress()
})

const includedLeg = {
  chainId: 1,
  hash: aHash(),
  block: { number: 1n, hash: aHash() },
  state: "INCLUDED",
  stage: 0
} as const
const transactionBefore = aTransaction({ legs: [includedLeg], movements: [aMovement({ leg: 0, role: "GAS" })] })
const quote = aFiatQuote()

describe("The transaction of a fiat order with its transfers", () => {
  it("contains one leg per transfer", () => {
    const [collected, returned] = [transferOf("OUT", 2n), transferOf("IN", 3n)]
    const bothTransfers = withTransfers(withTransfers(transactionBefore, quote, 1, [collected]), quote, 2, [
      collected,
      returned
    ])
    assert.deepStrictEqual(
      bothTransfers.legs.map(({ hash, stage }) => [hash, stage]),
      [
        [includedLeg.hash, 0],
        [collected.hash, 1],
        [returned.hash, 2]
      ]
    )
    assert.deepStrictEqual(
      bothTransfers.movements.map(({ direction, leg, role }) => [direction, role, leg]),
      [
        ["OUT", "GAS", 0],
        ["OUT", "PRINCIPAL", 1],
        ["IN", "PRINCIPAL", 2]
      ]
    )
  })

  it("contains no leg for a transfer whose block a reorg has removed", () => {
    const [collected, returned, collectedAgain] = [transferOf("OUT", 2n), transferOf("IN", 3n), transferOf("OUT", 4n)]
    const bothTransfers = withTransfers(withTransfers(transactionBefore, quote, 1, [collected]), quote, 2, [returned])
    const laterTransaction = withTransfers(reorgChange(1)(bothTransfers), quote, 2, [collectedAgain])
    assert.deepStrictEqual(
      laterTransaction.legs.map(({ hash, state }) => [hash, state]),
      [
        [includedLeg.hash, "INCLUDED"],
        [collectedAgain.hash, "INCLUDED"]
      ]
    )
    assert.deepStrictEqual(
      laterTransaction.movements.map(({ leg, role }) => [role, leg]),
      [
        ["GAS", 0],
        ["PRINCIPAL", 1]
      ]
    )
  })
})
