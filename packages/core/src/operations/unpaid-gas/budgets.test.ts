import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { CountedGasEntry } from "./admission.ts"
import { type BudgetGasEntries, budgetRefusal, type PendingGas } from "./budgets.ts"
import { DECAY_MS } from "./decay.ts"

const NOW = 1_780_000_000_000

const limits = { projectUsdE6PerDay: 50_000_000n, operatorUsdE6PerDay: 200_000_000n }

const usdE6 = (dollars: number) => BigInt(dollars * 1_000_000)

const gasEntryOf = (dollars: number, ms = 0): CountedGasEntry => ({
  atMs: NOW - ms,
  count: 1,
  usdE6: usdE6(dollars),
  unpriced: 0
})

interface Case {
  readonly project?: ReadonlyArray<CountedGasEntry>
  readonly operator?: ReadonlyArray<CountedGasEntry>
  readonly pendingGas?: Partial<PendingGas>
  readonly isFirstUse?: boolean
}

/**
 * Formats the result for an operation that may leave this many dollars unpaid: "accepted", or scope, state and seconds.
 */
const decisionText = (
  dollars: number,
  { isFirstUse = true, operator = [], project = [], pendingGas = {} }: Case,
  budgets = limits
) => {
  const pending = { projectUsdE6: 0n, operatorUsdE6: 0n, hasFirstUse: false, ...pendingGas }
  const refusal = budgetRefusal({ project, operator }, pending, { isFirstUse, usdE6: usdE6(dollars) }, budgets, NOW)
  return refusal === null ? "accepted" : `${refusal.scope} ${refusal.state} ${refusal.retryAfterSeconds}`
}

describe("An operation that may stay unpaid", () => {
  it("is accepted while the project's budget covers it together with unpaid gas and pending operations", () => {
    assert.strictEqual(decisionText(50, {}), "accepted")
    assert.strictEqual(
      decisionText(3, { project: [gasEntryOf(40)], pendingGas: { projectUsdE6: usdE6(7) } }),
      "accepted"
    )
    assert.strictEqual(
      decisionText(3.1, { project: [gasEntryOf(40)], pendingGas: { projectUsdE6: usdE6(7) } }),
      "project PENDING 10"
    )
    assert.strictEqual(decisionText(3, { project: [gasEntryOf(40, DECAY_MS / 2), gasEntryOf(27)] }), "accepted")
  })

  it("waits until the unpaid gas has decayed sufficiently", () => {
    assert.strictEqual(decisionText(1, { project: [gasEntryOf(50)] }), `project STOPPED ${DECAY_MS / 50_000}`)
    const seconds = Number(decisionText(3, { project: [gasEntryOf(49)] }).split(" ")[2])
    assert.strictEqual(decisionText(3, { project: [gasEntryOf(49, seconds * 1_000)] }), "accepted")
    assert.notStrictEqual(decisionText(3, { project: [gasEntryOf(49, (seconds - 1) * 1_000)] }), "accepted")
  })

  it("is also limited by the budget of all projects", () => {
    assert.strictEqual(
      decisionText(3, { operator: [gasEntryOf(150)], pendingGas: { operatorUsdE6: usdE6(47) } }),
      "accepted"
    )
    assert.strictEqual(
      decisionText(3, { operator: [gasEntryOf(150)], pendingGas: { operatorUsdE6: usdE6(48) } }),
      "operator PENDING 10"
    )
    assert.match(decisionText(3, { operator: [gasEntryOf(198)] }), /^operator STOPPED/u)
  })

  it("is accepted one at a time per owner if it grants the allowance that pays for it", () => {
    assert.strictEqual(decisionText(1, { pendingGas: { hasFirstUse: true } }), "owner PENDING 10")
    assert.strictEqual(decisionText(1, { pendingGas: { hasFirstUse: true }, isFirstUse: false }), "accepted")
  })

  it("is rejected because of its own size if it exceeds a budget by itself", () => {
    assert.strictEqual(decisionText(51, {}), "project TOO_LARGE 86400")
    assert.strictEqual(decisionText(201, {}, { ...limits, projectUsdE6PerDay: usdE6(500) }), "operator TOO_LARGE 86400")
    assert.strictEqual(decisionText(0.000001, {}, { ...limits, projectUsdE6PerDay: 0n }), "project TOO_LARGE 86400")
    assert.strictEqual(decisionText(0.000001, {}, { ...limits, operatorUsdE6PerDay: 0n }), "operator TOO_LARGE 86400")
  })

  it("assumes one dollar for an unknown price", () => {
    const unpricedGasEntry = { ...gasEntryOf(0), count: 50, unpriced: 50 }
    assert.strictEqual(decisionText(1, { project: [unpricedGasEntry] }), decisionText(1, { project: [gasEntryOf(50)] }))
  })
})

const GasEntries = Schema.Array(
  Schema.Struct({
    atMs: Schema.Int.check(Schema.isBetween({ minimum: NOW - 2 * DECAY_MS, maximum: NOW })),
    count: Schema.Literal(1),
    usdE6: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 80_000_000n })),
    unpriced: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
  })
).check(Schema.isMaxLength(8))

const Dollars = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 60_000_000n }))

describe("The maximum loss of a project", () => {
  it.prop(
    "is its budget: the counted unpaid gas never exceeds it, for any number of accepted operations",
    [
      Schema.Array(
        Schema.Struct({
          usdE6: Dollars,
          afterMs: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: DECAY_MS / 4 }))
        })
      )
    ],
    ([operations]) => {
      let nowMs = NOW
      const gasEntries: Array<CountedGasEntry> = []
      for (const { afterMs, usdE6: cost } of operations) {
        nowMs += afterMs
        const otherCosts = { projectUsdE6: 0n, operatorUsdE6: 0n, hasFirstUse: false }
        const budgetGasEntries: BudgetGasEntries = { project: gasEntries, operator: [] }
        if (budgetRefusal(budgetGasEntries, otherCosts, { isFirstUse: true, usdE6: cost }, limits, nowMs) !== null)
          continue
        gasEntries.push({ atMs: nowMs, count: 1, usdE6: cost, unpriced: 0 })
        const decayedTotal = gasEntries.reduce(
          (sum, { atMs, usdE6: unpaidE6 }) => sum + unpaidE6 * BigInt(Math.max(0, atMs + DECAY_MS - nowMs)),
          0n
        )
        if (decayedTotal > limits.projectUsdE6PerDay * BigInt(DECAY_MS)) return false
      }
      return true
    }
  )

  it.prop(
    "allows an operation after the reported wait, if there is no further unpaid gas",
    [GasEntries, Dollars],
    ([project, cost]) => {
      const otherCosts = { projectUsdE6: 0n, operatorUsdE6: 0n, hasFirstUse: false }
      const ownCost = { isFirstUse: true, usdE6: cost }
      const refusal = budgetRefusal({ project, operator: [] }, otherCosts, ownCost, limits, NOW)
      if (refusal === null || cost > limits.projectUsdE6PerDay) return true
      const laterMs = NOW + refusal.retryAfterSeconds * 1_000
      return budgetRefusal({ project, operator: [] }, otherCosts, ownCost, limits, laterMs) === null
    }
  )
})
