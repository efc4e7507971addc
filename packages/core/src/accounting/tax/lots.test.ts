import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type LotChange, type LotEntry, lotsOf } from "./lots.ts"

const E6 = 1_000_000n

const ASSET = "token"
const ACCOUNT = "account"

type Step = Pick<LotChange, "amount" | "atMs" | "direction" | "valueE6"> & Partial<LotChange>

const changeOf = (step: Step): LotChange => ({
  kind: step.direction === "IN" ? "ACQUISITION" : "DISPOSAL",
  asset: ASSET,
  holding: null,
  transfer: null,
  ...step
})

const entryOf = (change: LotChange): LotEntry => ({ changes: [change], withdrawnShare: null })

/**
 * Applies each change as an entry of its own. Returns the remaining lots of the asset, and the disposal of each change.
 * Null for an inflow.
 */
const lotsOfOneAsset = (steps: ReadonlyArray<Step>) => {
  const changes = steps.map(changeOf)
  const { disposals, lots } = lotsOf(new Map([[ACCOUNT, changes.map(entryOf)]]), ACCOUNT)
  return { disposals: changes.map((change) => disposals.get(change) ?? null), lots: lots.get(ASSET) ?? [] }
}

/** Creates changes in base units and US dollars, one millisecond apart. */
const changesOf = (...steps: ReadonlyArray<readonly ["in" | "out", number, number | null]>): ReadonlyArray<Step> =>
  steps.map(([direction, amount, value], day) => ({
    direction: direction === "in" ? "IN" : "OUT",
    amount: BigInt(amount),
    valueE6: value === null ? null : BigInt(value) * E6,
    atMs: day
  }))

const sumOf = (values: ReadonlyArray<bigint>) => values.reduce((a, b) => a + b, 0n)

describe("lotsOf", () => {
  it("uses the oldest lot first: 10 at $1 and 10 at $3, of which 15 go out at $4", () => {
    const { disposals, lots } = lotsOfOneAsset(changesOf(["in", 10, 10], ["in", 10, 30], ["out", 15, 60]))
    // The cost consists of the complete first lot ($10) and half of the second lot ($15).
    assert.deepStrictEqual(disposals, [null, null, { costE6: 25n * E6, gainE6: 35n * E6, unmatched: 0n }])
    assert.deepStrictEqual(lots, [{ units: 5n, costE6: 15n * E6, atMs: 1 }])
  })

  it("returns a negative gain for a loss", () => {
    const [, disposal] = lotsOfOneAsset(changesOf(["in", 2, 100], ["out", 1, 20])).disposals
    assert.strictEqual(disposal?.gainE6, -30n * E6)
  })

  it("values an amount without a recorded inflow at the price of its outflow", () => {
    const { disposals, lots } = lotsOfOneAsset(changesOf(["in", 1, 10], ["out", 4, 80]))
    assert.deepStrictEqual(disposals[1], { costE6: 70n * E6, gainE6: 10n * E6, unmatched: 3n })
    assert.deepStrictEqual(lots, [])
    assert.deepStrictEqual(lotsOfOneAsset(changesOf(["out", 4, 80])).disposals, [
      { costE6: 80n * E6, gainE6: 0n, unmatched: 4n }
    ])
  })

  it("returns null as the gain if a required value is missing, and gains again for later outflows", () => {
    const { disposals, lots } = lotsOfOneAsset(
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
    const lotsOfThirds = lotsOfOneAsset(changesOf(["in", 3, 1], ["out", 1, 1], ["out", 1, 1], ["out", 1, 1]))
    assert.strictEqual(sumOf(lotsOfThirds.disposals.map((disposal) => disposal?.costE6 ?? 0n)), E6)
  })

  const Change = Schema.Struct({
    direction: Schema.Literals(["IN", "OUT"]),
    amount: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 1n, maximum: 10n ** 24n })),
    valueE6: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 10n ** 15n })),
    atMs: Schema.Int
  })

  it.prop(
    "returns lots for the amounts that arrived and did not leave, and gains equal to proceeds minus cost",
    [Schema.Array(Change).check(Schema.isMaxLength(40))],
    ([changes]) => {
      const { disposals, lots } = lotsOfOneAsset(changes)
      let heldUnits = 0n
      let unmatchedUnits = 0n
      for (const { amount, direction } of changes) {
        if (direction === "IN") heldUnits += amount
        else {
          const missingUnits = amount > heldUnits ? amount - heldUnits : 0n
          unmatchedUnits += missingUnits
          heldUnits = heldUnits + missingUnits - amount
        }
      }
      assert.strictEqual(sumOf(lots.map(({ units }) => units)), heldUnits)
      assert.strictEqual(sumOf(disposals.map((disposal) => disposal?.unmatched ?? 0n)), unmatchedUnits)
      assert.isTrue(lots.every(({ units }) => units > 0n))

      const valueOf = (direction: string) =>
        sumOf(changes.map((change) => (change.direction === direction ? change.valueE6 : 0n)))
      const realizedGain = sumOf(disposals.map((disposal) => disposal?.gainE6 ?? 0n))
      const costOut = sumOf(disposals.map((disposal) => disposal?.costE6 ?? 0n))
      const remainingCost = sumOf(lots.map(({ costE6 }) => costE6 ?? 0n))
      // The value of the outflows is their cost plus the gain. The value of all inflows equals the cost of the
      // remaining lots plus the cost of the outflows, without the amounts that have no recorded inflow.
      assert.strictEqual(costOut + realizedGain, valueOf("OUT"))
      const costOfUnmatched = sumOf(
        changes.map(({ amount, valueE6 }, index) => {
          const unmatchedAmount = disposals[index]?.unmatched ?? 0n
          return unmatchedAmount === 0n ? 0n : valueE6 - (valueE6 * (amount - unmatchedAmount)) / amount
        })
      )
      assert.strictEqual(costOut - costOfUnmatched, valueOf("IN") - remainingCost)
      // For any closing value: realized plus unrealized gain equals closing value plus proceeds, minus the value of the
      // inflows. Proceeds exclude the amounts without a recorded inflow.
      const closingValue = 7n * heldUnits
      const unrealizedGain = closingValue - remainingCost
      assert.strictEqual(
        realizedGain + unrealizedGain,
        closingValue + (valueOf("OUT") - costOfUnmatched) - valueOf("IN")
      )
    }
  )

  it("keeps the cost and the acquisition time of supplied tokens when they are withdrawn", () => {
    const { disposals, lots } = lotsOfOneAsset([
      { direction: "IN", amount: 1n, valueE6: 10n * E6, atMs: 0 },
      { direction: "OUT", kind: "COLLATERAL", holding: "loan", amount: 1n, valueE6: 15n * E6, atMs: 1 },
      { direction: "IN", amount: 1n, valueE6: 20n * E6, atMs: 2 },
      { direction: "IN", kind: "COLLATERAL", holding: "loan", amount: 1n, valueE6: 30n * E6, atMs: 3 },
      { direction: "OUT", amount: 1n, valueE6: 40n * E6, atMs: 4 }
    ])
    assert.deepStrictEqual(disposals[1], { costE6: 10n * E6, gainE6: 0n, unmatched: 0n })
    assert.deepStrictEqual(disposals[4], { costE6: 10n * E6, gainE6: 30n * E6, unmatched: 0n })
    assert.deepStrictEqual(lots, [{ units: 1n, costE6: 20n * E6, atMs: 2 }])
  })

  it("transfers the cost of supplied native tokens to withdrawn wrapped tokens", () => {
    const entries = [
      changeOf({ direction: "IN", amount: 2n, valueE6: 20n * E6, atMs: 0 }),
      changeOf({ direction: "OUT", kind: "COLLATERAL", holding: "loan", amount: 2n, valueE6: 30n * E6, atMs: 1 }),
      changeOf({
        direction: "IN",
        kind: "COLLATERAL",
        holding: "loan",
        asset: "wrapped",
        amount: 1n,
        valueE6: 30n * E6,
        atMs: 2
      })
    ].map(entryOf)
    const { lots } = lotsOf(new Map([[ACCOUNT, entries]]), ACCOUNT)
    assert.deepStrictEqual([lots.get(ASSET), lots.get("wrapped")], [[], [{ units: 1n, costE6: 10n * E6, atMs: 0 }]])
  })

  it("removes the tokens that a liquidator takes from the supplied tokens", () => {
    const { disposals, lots } = lotsOfOneAsset([
      { direction: "IN", amount: 2n, valueE6: 20n * E6, atMs: 0 },
      { direction: "OUT", kind: "COLLATERAL", holding: "loan", amount: 1n, valueE6: 15n * E6, atMs: 1 },
      { direction: "OUT", holding: "loan", amount: 1n, valueE6: 12n * E6, atMs: 2 }
    ])
    assert.deepStrictEqual(disposals[2], { costE6: 10n * E6, gainE6: 2n * E6, unmatched: 0n })
    assert.deepStrictEqual(lots, [{ units: 1n, costE6: 10n * E6, atMs: 0 }])
  })

  it("withdraws a share of a position's cost, and splits it among the tokens by value", () => {
    const position = { kind: "LIQUIDITY", holding: "position" } as const
    const purchase = changeOf({ direction: "IN", amount: 100n, valueE6: 80n * E6, atMs: 0 })
    const deposit = changeOf({ ...position, direction: "OUT", amount: 100n, valueE6: 100n * E6, atMs: 1 })
    const unusedAmount = changeOf({
      ...position,
      direction: "IN",
      asset: "other",
      amount: 1n,
      valueE6: 4n * E6,
      atMs: 1
    })
    const halfWithdrawal = [
      changeOf({ ...position, direction: "IN", amount: 30n, valueE6: 30n * E6, atMs: 2 }),
      changeOf({ ...position, direction: "IN", asset: "other", amount: 3n, valueE6: 10n * E6, atMs: 2 })
    ]
    const entries: ReadonlyArray<LotEntry> = [
      entryOf(purchase),
      { changes: [deposit, unusedAmount], withdrawnShare: null },
      { changes: halfWithdrawal, withdrawnShare: { numerator: 1n, denominator: 2n } }
    ]
    const { disposals, lots } = lotsOf(new Map([[ACCOUNT, entries]]), ACCOUNT)
    assert.deepStrictEqual(disposals.get(deposit), { costE6: 80n * E6, gainE6: 0n, unmatched: 0n })
    // The unused amount takes $4 of the $80. Half of the remaining $76 is withdrawn, three quarters of it as the first
    // token.
    assert.deepStrictEqual(
      [lots.get(ASSET), lots.get("other")].map((lotList) => lotList?.map(({ costE6 }) => costE6)),
      [[28_500_000n], [4n * E6, 9_500_000n]]
    )
  })

  it("values withdrawals from a position without a recorded deposit as purchases at their value", () => {
    const withdrawal = changeOf({
      kind: "LIQUIDITY",
      holding: "position",
      direction: "IN",
      amount: 5n,
      valueE6: 9n * E6,
      atMs: 0
    })
    const entry: LotEntry = { changes: [withdrawal], withdrawnShare: { numerator: 1n, denominator: 1n } }
    const { lots } = lotsOf(new Map([[ACCOUNT, [entry]]]), ACCOUNT)
    assert.deepStrictEqual(lots.get(ASSET), [{ units: 5n, costE6: 9n * E6, atMs: 0 }])
  })

  it("repays with borrowed lots before others", () => {
    const { disposals, lots } = lotsOfOneAsset([
      { direction: "IN", amount: 1n, valueE6: 10n * E6, atMs: 0 },
      { direction: "IN", kind: "DEBT", holding: "loan", amount: 2n, valueE6: 30n * E6, atMs: 1 },
      { direction: "OUT", kind: "DEBT", holding: "loan", amount: 2n, valueE6: 40n * E6, atMs: 2 }
    ])
    assert.deepStrictEqual(disposals[2], { costE6: 30n * E6, gainE6: 0n, unmatched: 0n })
    assert.deepStrictEqual(lots, [{ units: 1n, costE6: 10n * E6, atMs: 0 }])
  })

  it("transfers the cost between the owner's wallets, independent of which wallet is read first", () => {
    const transferWith = (counterparty: string) => ({ counterparty, key: "one transfer" })
    const [sender, receiver] = ["sender", "receiver"]
    const outflow = changeOf({
      direction: "OUT",
      kind: "OWN_TRANSFER",
      transfer: transferWith(receiver),
      amount: 1n,
      valueE6: 50n * E6,
      atMs: 5
    })
    const inflow = { ...outflow, direction: "IN", transfer: transferWith(sender) } as const
    const purchase = changeOf({ direction: "IN", amount: 1n, valueE6: 10n * E6, atMs: 0 })
    const entries = new Map([
      [receiver, [entryOf(inflow)]],
      [sender, [entryOf(purchase), entryOf(outflow)]]
    ])
    assert.deepStrictEqual(lotsOf(entries, sender).disposals.get(outflow), {
      costE6: 10n * E6,
      gainE6: 0n,
      unmatched: 0n
    })
    assert.deepStrictEqual(lotsOf(entries, receiver).lots.get(ASSET), [{ units: 1n, costE6: 10n * E6, atMs: 0 }])
  })

  it("keeps the cost of later transfers if the other wallet has not recorded an earlier one", () => {
    const DAY = 86_400_000
    const transferOf = (direction: "IN" | "OUT", counterparty: string, key: string, amount: bigint, day: number) =>
      changeOf({
        direction,
        kind: "OWN_TRANSFER",
        transfer: { counterparty, key },
        amount,
        valueE6: amount * 2_500n * E6,
        atMs: day * DAY
      })
    const purchaseOf = (value: bigint, day: number) =>
      changeOf({ direction: "IN", amount: 1n, valueE6: value * E6, atMs: day * DAY })
    const sale = changeOf({ direction: "OUT", amount: 2n, valueE6: 5_200n * E6, atMs: 10 * DAY })
    const entries = new Map([
      [
        "a",
        [
          // Wallet b was registered after it had sent this amount.
          { ...transferOf("IN", "b", "b to a", 1n, 1), valueE6: 1_500n * E6 },
          purchaseOf(1_500n, 3),
          transferOf("OUT", "b", "a to b", 2n, 5),
          transferOf("IN", "b", "b to a", 2n, 8),
          sale
        ].map(entryOf)
      ],
      ["b", [transferOf("IN", "a", "a to b", 2n, 5), transferOf("OUT", "a", "b to a", 2n, 8)].map(entryOf)]
    ])
    assert.deepStrictEqual(lotsOf(entries, "a").disposals.get(sale), {
      costE6: 3_000n * E6,
      gainE6: 2_200n * E6,
      unmatched: 0n
    })
  })
})
