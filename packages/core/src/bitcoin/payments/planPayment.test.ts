import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { aBitcoinAddress, aHash } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { dustLimit, feeRoundingUp, type Utxo } from "../chain/index.ts"
import { CONFIRMATION_TARGETS, rateWithin, resolveFeeRate } from "./feeRates.ts"
import { divideAmounts } from "./paymentOutputs.ts"
import { planChild } from "./planChild.ts"
import { type PaymentOrder, planPayment } from "./planPayment.ts"
import { outpointText, usableUtxos } from "./usableUtxos.ts"

const scriptOf = (byte: string) => HexBytes.make(`0x0014${byte.repeat(20)}`)
const TIP_HEIGHT = 1_000
const intBetween = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const totalOf = (list: ReadonlyArray<{ readonly value: bigint }>) => list.reduce((sum, { value }) => sum + value, 0n)

const aUtxo = (value: bigint, fields: Partial<Utxo> = {}): Utxo => ({
  txid: aHash(),
  vout: 0,
  value,
  script: scriptOf("aa"),
  block: { hash: aHash(), height: 900 },
  isCoinbase: false,
  ...fields
})

const anOrder = (fields: Partial<PaymentOrder> = {}): PaymentOrder => ({
  kind: "P2WPKH",
  script: scriptOf("aa"),
  feeRate: 5_000n,
  longTermFeeRate: 10_000n,
  outputs: [{ script: scriptOf("bb"), value: 50_000n }],
  feeFrom: "WALLET",
  ...fields
})

const utxoState = (fields: Partial<Parameters<typeof usableUtxos>[1]> = {}) => ({
  tipHeight: TIP_HEIGHT,
  ownWaiting: new Set<Utxo["txid"]>(),
  quoted: new Set<string>(),
  pendingSpends: new Set<string>(),
  ...fields
})

describe("usableUtxos", () => {
  it("puts confirmed UTXOs first, then the wallet's change if requested, and UTXOs of open quotes last", () => {
    const [confirmed, change, foreign, quoted, pendingUtxo] = [
      aUtxo(1n),
      aUtxo(2n, { block: null }),
      aUtxo(3n, { block: null }),
      aUtxo(4n),
      aUtxo(5n)
    ]
    const allUtxos = [quoted, foreign, pendingUtxo, change, confirmed]
    const state = utxoState({
      ownWaiting: new Set([change.txid]),
      quoted: new Set([outpointText(quoted)]),
      pendingSpends: new Set([outpointText(pendingUtxo)])
    })
    assert.deepStrictEqual(usableUtxos(allUtxos, state), [[confirmed], [change], [quoted]])
    // A payment of the entire balance also spends the change.
    assert.deepStrictEqual(usableUtxos(allUtxos, state, true), [[change, confirmed], [quoted]])
  })

  it("includes a coinbase output only when it is mature", () => {
    const coinbaseAt = (height: number) => aUtxo(1n, { isCoinbase: true, block: { hash: aHash(), height } })
    assert.deepStrictEqual(usableUtxos([coinbaseAt(902)], utxoState()), [])
    assert.lengthOf(usableUtxos([coinbaseAt(901)], utxoState()), 1)
  })
})

describe("planPayment", () => {
  it("does not use a group if the groups before it are sufficient", () => {
    const plan = planPayment([[aUtxo(100_000n)], [aUtxo(50_000n + 550n)]], anOrder(), () => 0.5)
    assert.strictEqual(plan._tag, "Payment")
    if (plan._tag === "Payment")
      assert.deepStrictEqual(
        plan.selection.utxos.map(({ value }) => value),
        [100_000n]
      )
  })

  it("reports the missing amount, including the fee", () => {
    const plan = planPayment([[aUtxo(50_000n)]], anOrder(), () => 0.5)
    assert.deepStrictEqual(plan, { _tag: "Missing", available: 50_000n, missing: feeRoundingUp(438, 5_000n) })
    assert.strictEqual(planPayment<Utxo>([], anOrder(), () => 0.5)._tag, "Missing")
  })

  it("rejects a receiver whose amount after the fee is too small", () => {
    const outputs = [{ script: scriptOf("bb"), value: 700n }]
    const plan = planPayment([[aUtxo(50_000n)]], anOrder({ outputs, feeFrom: "FIRST_OUTPUT" }), () => 0.5)
    assert.strictEqual(plan._tag, "Dust")
  })

  it("spends all UTXOs if the complete balance is sent", () => {
    const outputs = [{ script: scriptOf("bb"), value: 0n }]
    const plan = planPayment([[aUtxo(50_000n)], [aUtxo(20_000n)]], anOrder({ outputs, feeFrom: "ALL" }), () => 0.5)
    if (plan._tag !== "Payment") return assert.fail("no payment")
    // The first group is sufficient, so the UTXOs that open quotes use are not spent.
    assert.strictEqual(plan.selection.outputs[0]!.value, 50_000n - plan.selection.fee)
  })

  it.prop(
    "conserves value, pays at least the rate, creates no dust output, and spends no UTXO twice",
    {
      groups: Schema.Array(Schema.Array(intBetween(600, 200_000_000)).check(Schema.isMaxLength(12))).check(
        Schema.isMaxLength(3)
      ),
      values: Schema.Array(intBetween(600, 2_000_000)).check(Schema.isMinLength(1), Schema.isMaxLength(4)),
      rate: intBetween(1_000, 200_000),
      feeFrom: Schema.Literals(["WALLET", "FIRST_OUTPUT", "ALL"]),
      draw: intBetween(0, 999)
    },
    ({ draw, feeFrom, groups, rate, values }) => {
      const utxos = groups.map((group) => group.map((value) => aUtxo(BigInt(value))))
      const outputs = values.map((value) => ({ script: scriptOf("bb"), value: BigInt(value) }))
      const plan = planPayment(utxos, anOrder({ outputs, feeRate: BigInt(rate), feeFrom }), () => draw / 1_000)
      if (plan._tag === "Missing") {
        assert.isTrue(plan.missing > 0n)
        assert.strictEqual(plan.available, totalOf(utxos.flat()))
        return
      }
      if (plan._tag === "Dust") return assert.isTrue(plan.remainder < plan.minOutput)
      const { change, utxos: spentUtxos, fee, outputs: paidOutputs, weight } = plan.selection
      assert.strictEqual(totalOf(spentUtxos), totalOf(paidOutputs) + change + fee)
      assert.isTrue(fee >= feeRoundingUp(weight, BigInt(rate)))
      assert.isTrue(change === 0n || change >= dustLimit(scriptOf("aa")))
      assert.isTrue(paidOutputs.every(({ script: to, value }) => value >= dustLimit(to)))
      assert.strictEqual(new Set(spentUtxos.map(outpointText)).size, spentUtxos.length)
      if (feeFrom === "WALLET") assert.deepStrictEqual(paidOutputs, outputs)
    }
  )
})

describe("divideAmounts", () => {
  const receiverOf = (value: bigint, path = "amount") => ({ path, value, script: scriptOf("bb") })
  const feeShareOf = (percentage: number) => ({
    role: "EXTRA_FEE" as const,
    address: aBitcoinAddress(),
    script: scriptOf("cc"),
    percentage
  })
  const valuesOf = (...given: Parameters<typeof divideAmounts>) =>
    Result.getOrThrow(divideAmounts(...given)).map(({ value }) => value)

  it("deducts each share from each amount, and pays it with one output", () => {
    assert.deepStrictEqual(valuesOf([receiverOf(10_001n), receiverOf(20_000n)], [feeShareOf(10), feeShareOf(5)]), [
      8_501n,
      17_000n,
      3_000n,
      1_500n
    ])
    assert.deepStrictEqual(valuesOf([receiverOf(10_000n)], []), [10_000n])
  })

  it("names the receiver whose amount would be too small", () => {
    const dividedOutputs = divideAmounts(
      [receiverOf(10_000n), receiverOf(300n, "furtherReceivers[0].amount")],
      [feeShareOf(50)]
    )
    assert.isTrue(Result.isFailure(dividedOutputs))
    if (Result.isFailure(dividedOutputs))
      assert.strictEqual(dividedOutputs.failure.problems[0].path, "furtherReceivers[0].amount")
  })
})

describe("planChild", () => {
  const orderOf = (utxos: ReadonlyArray<Utxo>) => ({
    kind: "P2WPKH" as const,
    script: scriptOf("aa"),
    feeRate: 20_000n,
    parent: { fee: 200n, weight: 800 },
    utxos
  })

  it("pays the missing fee of the parent and its own fee", () => {
    const child = planChild(orderOf([aUtxo(100_000n)]), [])!
    assert.strictEqual(child.fee, feeRoundingUp(child.weight, 20_000n) + feeRoundingUp(800, 20_000n) - 200n)
    assert.deepStrictEqual([child.outputs, child.change], [[], 100_000n - child.fee])
  })

  it("adds a UTXO if the deposit does not pay for both, and returns null if no UTXO is sufficient", () => {
    const [small, large] = [aUtxo(3_000n), aUtxo(50_000n)]
    assert.deepStrictEqual(planChild(orderOf([small]), [aUtxo(700n), large])!.utxos, [small, large])
    assert.isNull(planChild(orderOf([small]), [aUtxo(700n)]))
  })

  it("pays only its own fee if the parent's fee is sufficient", () => {
    const child = planChild({ ...orderOf([aUtxo(100_000n)]), parent: { fee: 100_000n, weight: 800 } }, [])!
    assert.strictEqual(child.fee, feeRoundingUp(child.weight, 20_000n))
  })
})

describe("Fee rates", () => {
  it("are the rates for the largest number of blocks within the target", () => {
    const rates = new Map([
      [1, 20_000n],
      [3, 9_000n],
      [144, 400n]
    ])
    assert.strictEqual(rateWithin(rates, CONFIRMATION_TARGETS.FAST, 1_000n), 20_000n)
    assert.strictEqual(rateWithin(rates, CONFIRMATION_TARGETS.NORMAL, 1_000n), 9_000n)
    // The rate is never below the minimum relay fee rate.
    assert.strictEqual(rateWithin(rates, CONFIRMATION_TARGETS.SLOW, 1_000n), 1_000n)
    assert.strictEqual(rateWithin(rates, CONFIRMATION_TARGETS.SLOW, 100n), 400n)
    assert.isNull(rateWithin(new Map(), 6, 1_000n))
  })

  it("are rejected outside their bounds", () => {
    const isAccepted = (minRate: bigint) => (rate: number) => Result.isSuccess(resolveFeeRate("feeRate", rate, minRate))
    const rates = [0, 0.999, 1, 12.5, 1_000, 1_000.001, 10_000]
    assert.deepStrictEqual(rates.map(isAccepted(1_000n)), [false, false, true, true, true, false, false])
    assert.deepStrictEqual([0, 0.09, 0.1, 0.2, 0.7].map(isAccepted(100n)), [false, false, true, true, true])
  })
})
