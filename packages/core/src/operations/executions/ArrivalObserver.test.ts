import { assert, describe, it } from "@effect/vitest"
import { aMovement, aTransaction } from "../../accounting/history/Transaction.fixture.ts"
import { aBitcoinAddress, aHash, anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { newlyRecordedTransfers } from "./ArrivalObserver.ts"

const account = anAddress()
const asset = { chainId: 8453, token: anAddress() } as const
const leg = { chainId: 8453, hash: aHash(), block: { number: 7n, hash: aHash() }, state: "INCLUDED", stage: 1 } as const
const transactionBefore = aTransaction({ legs: [], movements: [] })
const arrivedTransaction = aTransaction({
  legs: [leg],
  movements: [aMovement({ account, asset, direction: "IN", leg: 0 })]
})

describe("Newly recorded transfers", () => {
  it("are listed once each, with their block", () => {
    const duplicateTransaction = {
      ...arrivedTransaction,
      movements: [...arrivedTransaction.movements, ...arrivedTransaction.movements]
    }
    assert.deepStrictEqual(newlyRecordedTransfers(transactionBefore, duplicateTransaction), [
      { chainId: 8453, hash: leg.hash, block: leg.block, account }
    ])
  })

  it("include transfers on Bitcoin", () => {
    const receiver = aBitcoinAddress()
    const bitcoinMovement = aMovement({ account: receiver, asset: { ...asset, chainId: 0 }, leg: 0 })
    assert.deepStrictEqual(
      newlyRecordedTransfers(transactionBefore, { ...arrivedTransaction, movements: [bitcoinMovement] }),
      [{ chainId: 0, hash: leg.hash, block: leg.block, account: receiver }]
    )
  })

  it("exclude transfers that were recorded before, that have no block or no leg, and fiat movements", () => {
    assert.deepStrictEqual(newlyRecordedTransfers(arrivedTransaction, arrivedTransaction), [])
    const unconfirmedTransaction = { ...arrivedTransaction, legs: [{ ...leg, block: null, state: "PENDING" as const }] }
    assert.deepStrictEqual(newlyRecordedTransfers(transactionBefore, unconfirmedTransaction), [])
    const otherMovements = [
      aMovement({ account, asset, leg: null }),
      aMovement({ account, asset: { currency: "BRL" as never }, leg: 0 })
    ]
    assert.deepStrictEqual(
      newlyRecordedTransfers(transactionBefore, { ...arrivedTransaction, movements: otherMovements }),
      []
    )
  })
})
