import { assert, describe, it } from "@effect/vitest"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { isSameAsset } from "../../foundation/tokens/index.ts"
import { movementTotalOf } from "./Movement.ts"
import { aMovement, aTransaction } from "./Transaction.fixture.ts"
import { displayedTotal, finalStatuses, TransactionStatus } from "./Transaction.ts"

const [wallet, receiver, usdc, weth] = [anAddress(), anAddress(), anAddress(), anAddress()]
const asset = { chainId: 137, token: usdc } as const

describe("sideOf", () => {
  it("is null if nothing moved in that direction, and excludes gas", () => {
    assert.isNull(movementTotalOf([], "OUT"))
    assert.isNull(movementTotalOf([aMovement({ direction: "IN" })], "OUT"))
    assert.isNull(movementTotalOf([aMovement({ role: "GAS" })], "OUT"))
  })

  it("is the first principal movement, with the fees of the same asset and account", () => {
    const total = movementTotalOf(
      [
        aMovement({ role: "GAS", account: wallet, asset, amount: 7n, usd: "7" }),
        aMovement({ role: "FEE", account: wallet, asset, amount: 3n, usd: "0.003" }),
        aMovement({ account: wallet, asset, amount: 97n, usd: "0.097", counterparty: "pool" }),
        aMovement({ account: receiver, asset, amount: 50n, usd: "1" }),
        aMovement({ account: wallet, asset: { chainId: 10, token: usdc }, amount: 60n, usd: "1" }),
        aMovement({ account: wallet, asset: { chainId: 137, token: weth }, amount: 70n, usd: "1" })
      ],
      "OUT"
    )
    assert.deepStrictEqual(total, { asset, amount: 100n, usd: "0.1", account: wallet, counterparty: "pool" })
  })

  it("returns the account that received the largest part as the counterparty", () => {
    const outflow = (counterparty: string, amount: bigint) =>
      aMovement({ account: wallet, asset, amount, counterparty })
    const outflows = [outflow("burnt", 1n), outflow(receiver, 99n)]
    assert.strictEqual(movementTotalOf(outflows, "OUT")!.counterparty, receiver)
    const fee = aMovement({ account: wallet, asset, amount: 200n, counterparty: "treasury", role: "FEE" })
    assert.strictEqual(movementTotalOf([...outflows, fee], "OUT")!.counterparty, receiver)
  })

  it("is a fee if only fees moved", () => {
    assert.strictEqual(movementTotalOf([aMovement({ role: "FEE", amount: 3n })], "OUT")!.amount, 3n)
  })

  it("returns no value if the value of a movement is unknown", () => {
    const outflows = [aMovement({ account: wallet, asset, usd: "1" }), aMovement({ account: wallet, asset, usd: null })]
    assert.isNull(movementTotalOf(outflows, "OUT")!.usd)
  })

  it("adds values exactly", () => {
    const outflow = (usd: string) => aMovement({ account: wallet, asset, usd })
    assert.strictEqual(movementTotalOf(["0.1", "0.2", "0.000001"].map(outflow), "OUT")!.usd, "0.300001")
    assert.strictEqual(
      movementTotalOf(["99999999999999999999.5", "0.5"].map(outflow), "OUT")!.usd,
      "100000000000000000000"
    )
  })
})

describe("isSameAsset", () => {
  it("distinguishes chains, tokens and currencies", () => {
    assert.isTrue(isSameAsset(asset, { ...asset }))
    assert.isFalse(isSameAsset(asset, { ...asset, chainId: 10 }))
    assert.isFalse(isSameAsset(asset, { ...asset, token: weth }))
    assert.isFalse(isSameAsset(asset, { currency: "BRL" }))
    assert.isTrue(isSameAsset({ currency: "BRL" }, { currency: "BRL" }))
  })
})

describe("shownSide", () => {
  const expected = [aMovement({ amount: 4n })]

  it("is the expected amount while a transaction without movements is pending, and never after it has ended", () => {
    for (const status of TransactionStatus.literals) {
      const total = displayedTotal(aTransaction({ status, expected }), "OUT")
      assert.strictEqual(total?.amount, finalStatuses.has(status) ? undefined : 4n, status)
    }
  })

  it("is the actual amount after the first movement, for each direction separately", () => {
    const transaction = aTransaction({
      status: "ON_BRIDGE",
      expected: [aMovement({ asset, amount: 4n }), aMovement({ direction: "IN", amount: 8n })],
      movements: [aMovement({ asset, amount: 5n })]
    })
    assert.strictEqual(displayedTotal(transaction, "OUT")!.amount, 5n)
    assert.strictEqual(displayedTotal(transaction, "IN")!.amount, 8n)
  })

  it("is the expected asset until the end, even if another asset moved first, such as a wrapped native token", () => {
    const [wrapped, bought] = [
      aMovement({ direction: "IN", asset: { chainId: 137, token: weth }, amount: 2n }),
      aMovement({ direction: "IN", asset, amount: 8n })
    ]
    const order = aTransaction({ status: "PROCESSING", expected: [bought], movements: [wrapped] })
    assert.strictEqual(displayedTotal(order, "IN")!.amount, 8n)
    assert.strictEqual(displayedTotal({ ...order, status: "EXPIRED" }, "IN")!.amount, 2n)
  })
})
