import { assert, describe, it } from "@effect/vitest"
import type { Fee } from "../../foundation/fees/index.ts"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { displayFees } from "./displayFees.ts"
import { aMovement, aTransaction } from "./Transaction.fixture.ts"

const [token, treasury, paymaster] = [anAddress(), anAddress(), anAddress()]
const feeOf = (type: Fee["type"], amount: bigint, toAddress: Fee["toAddress"]): Fee => ({
  type,
  chainId: 137,
  token,
  amount,
  toAddress,
  percentage: null
})
const fees = [feeOf("GAS", 100n, paymaster), feeOf("SERVICE", 7n, treasury)]
const asset = { chainId: 137, token } as const
const gasMovementOf = (amount: bigint) => aMovement({ direction: "OUT", role: "GAS", asset, amount })
const serviceFeeMovement = aMovement({ direction: "OUT", role: "FEE", asset, amount: 7n, counterparty: treasury })

const feeAmountsOf = (transaction: Parameters<typeof displayFees>[0]) =>
  displayFees(transaction).map(({ amount, maximum, type }) => [type, amount, maximum])

describe("shownFees", () => {
  it("are the quoted maximum while the transaction is pending", () => {
    for (const movements of [[], [gasMovementOf(20n)]]) {
      assert.deepStrictEqual(feeAmountsOf(aTransaction({ status: "PROCESSING", fees, movements })), [
        ["GAS", 100n, 100n],
        ["SERVICE", 7n, null]
      ])
    }
  })

  it("are the charged fees of a completed transaction, with the gas of all its operations and the maximum", () => {
    const movements = [gasMovementOf(20n), gasMovementOf(31n), serviceFeeMovement]
    assert.deepStrictEqual(feeAmountsOf(aTransaction({ status: "COMPLETED", fees, movements })), [
      ["GAS", 51n, 100n],
      ["SERVICE", 7n, null]
    ])
  })

  it("include fees without a movement of the wallet after completion", () => {
    assert.deepStrictEqual(feeAmountsOf(aTransaction({ status: "COMPLETED", fees, movements: [gasMovementOf(5n)] })), [
      ["GAS", 5n, 100n],
      ["SERVICE", 7n, null]
    ])
  })

  it("are only gas for a reverted transaction, and empty for a transaction in no block", () => {
    assert.deepStrictEqual(feeAmountsOf(aTransaction({ status: "FAILED", fees, movements: [gasMovementOf(40n)] })), [
      ["GAS", 40n, 100n],
      ["SERVICE", 0n, null]
    ])
    assert.deepStrictEqual(feeAmountsOf(aTransaction({ status: "FAILED", fees, movements: [] })), [
      ["GAS", 0n, 100n],
      ["SERVICE", 0n, null]
    ])
  })

  it("exclude gas of another chain or token", () => {
    const otherChainGas = aMovement({ direction: "OUT", role: "GAS", asset: { chainId: 10, token }, amount: 9n })
    const nativeGas = aMovement({
      direction: "OUT",
      role: "GAS",
      asset: { chainId: 137, token: anAddress() },
      amount: 9n
    })
    const movements = [otherChainGas, nativeGas, gasMovementOf(1n)]
    assert.strictEqual(displayFees(aTransaction({ status: "COMPLETED", fees, movements }))[0]?.amount, 1n)
  })
})
