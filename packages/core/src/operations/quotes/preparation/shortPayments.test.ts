import { assert, describe, it } from "@effect/vitest"
import { anAddress } from "../../../foundation/primitives/ids.fixture.ts"
import { type Address, NATIVE_TOKEN } from "../../../foundation/primitives/index.ts"
import { arrivingAmounts, shortPaymentWarnings } from "./shortPayments.ts"

const [wallet, receiver, otherReceiver] = [anAddress(), anAddress(), anAddress()]
const token = {
  chainId: 137,
  address: anAddress(),
  name: "Taxed",
  symbol: "TAX",
  decimals: 1,
  realWorldAsset: false
} as const
const paymentOf = (amount: bigint, to: Address = receiver) => ({ token, to, amount, from: wallet })
const transferOf = (amount: bigint, to: Address = receiver, from: Address = wallet) => ({
  token: token.address,
  from,
  to,
  amount
})

describe("The arriving amounts", () => {
  it("are the simulated amounts of each receiver, or the full amounts if there is no simulation", () => {
    const payments = [paymentOf(100n), paymentOf(50n, otherReceiver)]
    assert.deepStrictEqual(
      arrivingAmounts(payments, [transferOf(1n, anAddress()), transferOf(99n), transferOf(50n, otherReceiver)]),
      [99n, 50n]
    )
    assert.deepStrictEqual(arrivingAmounts(payments, []), [100n, 50n])
  })

  it("are split among the payments to one receiver, without payments by other senders", () => {
    assert.deepStrictEqual(arrivingAmounts([paymentOf(100n), paymentOf(200n)], [transferOf(99n), transferOf(198n)]), [
      99n,
      198n
    ])
    assert.deepStrictEqual(
      arrivingAmounts([paymentOf(100n)], [transferOf(99n), transferOf(7n, receiver, otherReceiver)]),
      [99n]
    )
    const { from: _, ...paymentWithoutSender } = paymentOf(100n)
    assert.deepStrictEqual(arrivingAmounts([paymentWithoutSender], [transferOf(90n, receiver, otherReceiver)]), [90n])
  })

  it("are the full amounts for the native token, and never exceed the sent amount", () => {
    const nativePayment = { ...paymentOf(100n), token: { ...token, address: NATIVE_TOKEN } }
    assert.deepStrictEqual(arrivingAmounts([nativePayment], [{ ...transferOf(1n), token: NATIVE_TOKEN }]), [100n])
    assert.deepStrictEqual(arrivingAmounts([paymentOf(100n)], [transferOf(120n)]), [100n])
  })

  it("lead to a warning if they are lower than the sent amounts", () => {
    assert.deepStrictEqual(shortPaymentWarnings(paymentOf(100n), 100n), [])
    assert.match(shortPaymentWarnings(paymentOf(100n), 99n).join(), /If 10 TAX is sent to .*, only 9\.9 TAX arrives/u)
  })
})
