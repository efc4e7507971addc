import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { HexBytes } from "../../../foundation/primitives/index.ts"
import { dustLimit, scriptBytes } from "./dust.ts"
import { type PaymentTerms, selectCoins, spendAllCoins } from "./selectCoins.ts"
import { branchAndBound } from "./strategies.ts"
import { feeRoundingUp, inputWeight, type SpendableKind, transactionWeight } from "./weights.ts"

const scriptOf = (bytes: number, start = "0014"): HexBytes => HexBytes.make(`0x${start.padEnd(bytes * 2, "a")}`)
const scripts = {
  P2PKH: HexBytes.make(`0x76a914${"aa".repeat(20)}88ac`),
  P2SH_P2WPKH: HexBytes.make(`0xa914${"aa".repeat(20)}87`),
  P2WPKH: scriptOf(22),
  P2TR: scriptOf(34, "5120"),
  P2WSH: scriptOf(34, "0020")
}
const kinds = ["P2PKH", "P2SH_P2WPKH", "P2WPKH", "P2TR"] as const
const intBetween = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const termsWith = (fields: Partial<PaymentTerms> = {}): PaymentTerms => ({
  kind: "P2WPKH",
  outputs: [{ script: scripts.P2WPKH, value: 100_000n }],
  changeScript: scripts.P2WPKH,
  feeRate: 5_000n,
  longTermFeeRate: 10_000n,
  feeFrom: "WALLET",
  ...fields
})
const utxosOf = (...values: ReadonlyArray<number>) => values.map((value, id) => ({ id, value: BigInt(value) }))
const constantHalf = () => 0.5
const totalOf = (values: ReadonlyArray<{ readonly value: bigint }>) =>
  values.reduce((sum, { value }) => sum + value, 0n)

describe("dust", () => {
  it("is the value below which Bitcoin Core does not relay an output", () => {
    assert.deepStrictEqual(Object.values(scripts).map(dustLimit), [546n, 540n, 294n, 330n, 330n])
    assert.strictEqual(dustLimit(HexBytes.make("0x6a0401020304")), 0n)
  })
})

describe("the weight of a transaction", () => {
  it("equals the weight of signed transactions with one input and one output of the same type", () => {
    const bytes = (kind: SpendableKind) =>
      Math.ceil(transactionWeight(kind, 1, [{ bytes: (scripts[kind].length - 2) / 2 }]) / 4)
    assert.deepStrictEqual(kinds.map(bytes), [192, 134, 110, 112])
  })

  it("includes the additional bytes for large numbers of inputs and outputs", () => {
    const weight = (inputs: number) => transactionWeight("P2TR", inputs, [{ bytes: 34 }])
    assert.strictEqual(weight(253) - weight(252), inputWeight("P2TR") + 8)
  })
})

describe("Branch and bound", () => {
  const valuedUtxos = (...values: ReadonlyArray<bigint>) =>
    values.map((value) => ({ utxo: value, value, effective: value }))
  const selectedValues = (utxos: ReturnType<typeof valuedUtxos>, target: bigint, tolerance = 0n, waste = 0n) =>
    branchAndBound(utxos, target, tolerance, waste)?.map(({ utxo }) => utxo) ?? null

  it("finds an exact sum if there is one", () => {
    assert.deepStrictEqual(selectedValues(valuedUtxos(4n, 3n, 2n, 1n), 10n), [4n, 3n, 2n, 1n])
    assert.deepStrictEqual(selectedValues(valuedUtxos(7n, 7n, 5n, 3n), 8n), [5n, 3n])
    assert.isNull(selectedValues(valuedUtxos(7n, 7n, 5n), 6n))
    assert.isNull(selectedValues([], 1n))
  })

  it("selects few UTXOs if spending costs more now, and many if it costs more later", () => {
    assert.deepStrictEqual(selectedValues(valuedUtxos(6n, 3n, 2n, 1n), 6n, 0n, 1n), [6n])
    assert.deepStrictEqual(selectedValues(valuedUtxos(6n, 3n, 2n, 1n), 6n, 0n, -1n), [3n, 2n, 1n])
  })

  it("stops if there are too many combinations", () => {
    const utxos = valuedUtxos(...Array.from({ length: 60 }, (_, i) => 1_000n + 2n * BigInt(i)))
    assert.isNull(selectedValues(utxos, 30_001n))
  })
})

describe("The coin selection of a payment", () => {
  it("avoids change if possible", () => {
    const fee = feeRoundingUp(transactionWeight("P2WPKH", 2, [{ bytes: 22 }]), 5_000n)
    const selection = selectCoins(utxosOf(60_000, 40_000 + Number(fee), 5_000_000), termsWith(), constantHalf)
    assert.deepStrictEqual(selection?.utxos.map(({ id }) => id).toSorted(), [0, 1])
    assert.strictEqual(selection?.change, 0n)
  })

  it("spends one more small UTXO if the remainder lacks less than the fee of one virtual byte", () => {
    const fields = { kind: "P2TR", changeScript: scripts.P2TR, feeRate: 10_000n, longTermFeeRate: 1_000n } as const
    const fee = feeRoundingUp(transactionWeight("P2TR", 1, [{ bytes: 22 }]), 10_000n)
    const smallValues = Array.from({ length: 10 }, () => 700)
    for (let missing = 1n; missing <= 10n; missing++) {
      const utxos = utxosOf(100_000 + Number(fee - missing), ...smallValues)
      const selection = selectCoins(utxos, termsWith(fields), constantHalf)
      assert.lengthOf(selection?.utxos ?? [], 2, `${missing} satoshis are missing`)
    }
  })

  it("is null if the fee exceeds the remainder", () => {
    assert.isNull(selectCoins(utxosOf(100_000), termsWith(), constantHalf))
    assert.isNull(selectCoins([], termsWith(), constantHalf))
    assert.isNull(selectCoins(utxosOf(...Array.from({ length: 1_000 }, () => 300)), termsWith(), constantHalf))
  })

  it("deducts the fee from the receiver's output on request, and uses change below the dust limit for the fee", () => {
    const exactSelection = selectCoins(utxosOf(100_000), termsWith({ feeFrom: "FIRST_OUTPUT" }), constantHalf)!
    assert.deepStrictEqual(
      [exactSelection.fee + exactSelection.outputs[0]!.value, exactSelection.change],
      [100_000n, 0n]
    )
    const excessSelection = selectCoins(utxosOf(100_100), termsWith({ feeFrom: "FIRST_OUTPUT" }), constantHalf)!
    assert.strictEqual(excessSelection.outputs[0]!.value, 100_100n - excessSelection.fee)
    const changeSelection = selectCoins(utxosOf(200_000), termsWith({ feeFrom: "FIRST_OUTPUT" }), constantHalf)!
    assert.strictEqual(changeSelection.change, 100_000n)
  })

  it("spends all UTXOs on request, except those that cost more than their value", () => {
    const selection = spendAllCoins(utxosOf(100_000, 340, 341, 50_000), termsWith())!
    assert.deepStrictEqual(
      selection.utxos.map(({ id }) => id),
      [0, 2, 3]
    )
    assert.strictEqual(selection.outputs[0]!.value + selection.fee, 150_341n)
    assert.isNull(spendAllCoins(utxosOf(500), termsWith()))
  })

  it.prop(
    "pays the requested amount at no less than the rate and without dust, for any UTXOs",
    {
      values: Schema.Array(
        Schema.Union([intBetween(1, 3_000), intBetween(3_000, 200_000), intBetween(200_000, 2_100_000_000_000_000)])
      ),
      amounts: Schema.NonEmptyArray(intBetween(1_000, 5_000_000)),
      kind: Schema.Literals(kinds),
      rate: intBetween(1, 500_000),
      feeFrom: Schema.Literals(["WALLET", "FIRST_OUTPUT"]),
      draw: intBetween(0, 999)
    },
    ({ amounts, draw, feeFrom, kind, rate, values }) => {
      const outputs = amounts.map((amount) => ({ script: scripts.P2WSH, value: BigInt(amount) }))
      const feeRate = BigInt(rate)
      const paymentTerms = termsWith({ kind, outputs, changeScript: scripts[kind], feeRate, feeFrom })
      const utxos = utxosOf(...values)
      const feeOf = (inputs: number, hasChange: boolean) => {
        const allScripts = [...outputs.map(({ script }) => script), ...(hasChange ? [scripts[kind]] : [])]
        return feeRoundingUp(
          transactionWeight(
            kind,
            inputs,
            allScripts.map((each) => ({ bytes: scriptBytes(each) }))
          ),
          feeRate
        )
      }
      const selection = selectCoins(utxos, paymentTerms, () => draw / 1_000)
      if (selection === null) {
        // The selection may fail only if the outputs and the fee can't be paid with the largest UTXOs, for any number
        // of them.
        const largestFirst = utxos.toSorted((a, b) => (a.value < b.value ? 1 : -1))
        return largestFirst.every((_, i) => {
          const fee = feeFrom === "WALLET" ? feeOf(i + 1, false) : 0n
          return totalOf(largestFirst.slice(0, i + 1)) < totalOf(outputs) + fee
        })
      }
      const { change, utxos: selectedUtxos, fee } = selection
      assert.strictEqual(new Set(selectedUtxos).size, selectedUtxos.length)
      assert.strictEqual(totalOf(selectedUtxos), totalOf(selection.outputs) + change + fee)
      assert.isTrue(change === 0n || change >= dustLimit(scripts[kind]))
      assert.isTrue(fee >= feeOf(selectedUtxos.length, change > 0n))
      assert.isTrue(totalOf(outputs) - totalOf(selection.outputs) <= (feeFrom === "WALLET" ? 0n : fee))
      return true
    },
    { arbitrary: { runs: 500 } }
  )
})
