import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type LotChange, lotsOf } from "./lots.ts"

const E6 = 1_000_000n

/** `in`, `out`: whole units for whole dollars, one change a day. */
const changesOf = (...steps: ReadonlyArray<readonly ["in" | "out", number, number | null]>): ReadonlyArray<LotChange> =>
  steps.map(([way, amount, value], day) => ({
    direction: way === "in" ? "IN" : "OUT",
    amount: BigInt(amount),
    valueE6: value === null ? null : BigInt(value) * E6,
    atMs: day
  }))

const sum = (values: ReadonlyArray<bigint>) => values.reduce((a, b) => a + b, 0n)

describe("lotsOf", () => {
  it("takes from the oldest lot first: 10 at $1 and 10 at $3, of which 15 go out at $4", () => {
    const { disposals, lots } = lotsOf(changesOf(["in", 10, 10], ["in", 10, 30], ["out", 15, 60]))
    // Cost: all of the first lot ($10) and half of the second ($15).
    assert.deepStrictEqual(disposals, [null, null, { costE6: 25n * E6, gainE6: 35n * E6, unmatched: 0n }])
    assert.deepStrictEqual(lots, [{ units: 5n, costE6: 15n * E6, atMs: 1 }])
  })

  it("has a loss below zero", () => {
    const [, disposal] = lotsOf(changesOf(["in", 2, 100], ["out", 1, 20])).disposals
    assert.strictEqual(disposal?.gainE6, -30n * E6)
  })

  it("counts what was never recorded as coming in as bought for what it goes out at", () => {
    const { disposals, lots } = lotsOf(changesOf(["in", 1, 10], ["out", 4, 80]))
    assert.deepStrictEqual(disposals[1], { costE6: 70n * E6, gainE6: 10n * E6, unmatched: 3n })
    assert.deepStrictEqual(lots, [])
    assert.deepStrictEqual(lotsOf(changesOf(["out", 4, 80])).disposals, [
      { costE6: 80n * E6, gainE6: 0n, unmatched: 4n }
    ])
  })

  it("knows no gain where a value is missing that it needs, and does again afterwards", () => {
    const { disposals, lots } = lotsOf(
      changesOf(["in", 5, null], ["in", 5, 50], ["out", 5, 40], ["out", 1, null], ["out", 1, 30])
    )
    assert.deepStrictEqual(disposals.slice(2), [
      { costE6: null, gainE6: null, unmatched: 0n },
      { costE6: null, gainE6: null, unmatched: 0n },
      { costE6: 10n * E6, gainE6: 20n * E6, unmatched: 0n }
    ])
    assert.deepStrictEqual(lots, [{ units: 3n, costE6: 30n * E6, atMs: 1 }])
  })

  it("loses no cost to rounding", () => {
    const thirds = lotsOf(changesOf(["in", 3, 1], ["out", 1, 1], ["out", 1, 1], ["out", 1, 1]))
    assert.strictEqual(sum(thirds.disposals.map((disposal) => disposal?.costE6 ?? 0n)), E6)
  })

  const Change = Schema.Struct({
    direction: Schema.Literals(["IN", "OUT"]),
    amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 10n ** 24n })),
    valueE6: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 10n ** 15n })),
    atMs: Schema.Int
  })

  it.prop(
    "holds what came in and did not go out, and gains what was got for it less its cost",
    [Schema.Array(Change).check(Schema.isMaxLength(40))],
    ([changes]) => {
      const { disposals, lots } = lotsOf(changes)
      let held = 0n
      let unmatched = 0n
      for (const { amount, direction } of changes) {
        if (direction === "IN") held += amount
        else {
          const missing = amount > held ? amount - held : 0n
          unmatched += missing
          held = held + missing - amount
        }
      }
      assert.strictEqual(sum(lots.map(({ units }) => units)), held)
      assert.strictEqual(sum(disposals.map((disposal) => disposal?.unmatched ?? 0n)), unmatched)
      assert.isTrue(lots.every(({ units }) => units > 0n))

      const valueOf = (direction: string) =>
        sum(changes.map((change) => (change.direction === direction ? change.valueE6 : 0n)))
      const realised = sum(disposals.map((disposal) => disposal?.gainE6 ?? 0n))
      const costOut = sum(disposals.map((disposal) => disposal?.costE6 ?? 0n))
      const costLeft = sum(lots.map(({ costE6 }) => costE6 ?? 0n))
      // Every dollar that came in is in a lot or went out with one; what went out is cost and gain.
      assert.strictEqual(costOut + realised, valueOf("OUT"))
      const costOfUnmatched = sum(
        changes.map(({ amount, valueE6 }, index) => {
          const unmatchedPart = disposals[index]?.unmatched ?? 0n
          return unmatchedPart === 0n ? 0n : valueE6 - (valueE6 * (amount - unmatchedPart)) / amount
        })
      )
      assert.strictEqual(costOut - costOfUnmatched, valueOf("IN") - costLeft)
      // Whatever the closing value is: realised and unrealised gain are closing value and proceeds less all costs.
      const closing = 7n * held
      const unrealised = closing - costLeft
      assert.strictEqual(realised + unrealised, closing + (valueOf("OUT") - costOfUnmatched) - valueOf("IN"))
    }
  )
})
