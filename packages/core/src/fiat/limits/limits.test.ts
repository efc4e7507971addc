import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { excessOrNull, noUsage, remainingAmountOf } from "./limits.ts"
import { periodStart } from "./periods.ts"

const utc = (text: string) => DateTime.toUtc(DateTime.makeUnsafe(text))

describe("periods", () => {
  it.each([
    // In the first three hours of a UTC day, it is still the previous day in São Paulo.
    ["daily", "2026-04-01T02:59:59Z", "America/Sao_Paulo", "2026-03-31T03:00:00.000Z"],
    ["daily", "2026-04-01T03:00:00Z", "America/Sao_Paulo", "2026-04-01T03:00:00.000Z"],
    ["monthly", "2026-04-01T02:59:59Z", "America/Sao_Paulo", "2026-03-01T03:00:00.000Z"],
    ["quarterly", "2026-04-01T02:59:59Z", "America/Sao_Paulo", "2026-01-01T03:00:00.000Z"],
    ["quarterly", "2026-12-31T12:00:00Z", "America/Sao_Paulo", "2026-10-01T03:00:00.000Z"],
    // A quarter that starts in winter time and is queried in summer time, and the day on which daylight saving time
    // starts.
    ["quarterly", "2026-03-31T12:00:00Z", "Europe/Berlin", "2025-12-31T23:00:00.000Z"],
    ["daily", "2026-03-29T12:00:00Z", "Europe/Berlin", "2026-03-28T23:00:00.000Z"]
  ] as const)("%s of %s in %s begins at %s", (period, now, zone, expected) =>
    assert.strictEqual(DateTime.formatIso(periodStart(period, utc(now), zone)), expected)
  )
})

describe("limits", () => {
  const limits = { perTransaction: 500n, daily: 1_000n, monthly: 2_000n, quarterly: 3_000n }

  it("allow an amount up to the remaining amount, and not one cent more", () => {
    assert.isNull(excessOrNull(limits, noUsage, 500n))
    assert.deepStrictEqual(excessOrNull(limits, noUsage, 501n), {
      period: "perTransaction",
      remainingAmount: 500n
    })
    const usedAmounts = { daily: 900n, monthly: 900n, quarterly: 2_950n }
    assert.isNull(excessOrNull(limits, usedAmounts, 50n))
    assert.deepStrictEqual(excessOrNull(limits, usedAmounts, 101n), {
      period: "quarterly",
      remainingAmount: 50n
    })
  })

  it("leave nothing after a limit was lowered below the used amount", () =>
    assert.strictEqual(remainingAmountOf({ ...limits, daily: 1n }, { ...noUsage, daily: 2n }, "daily"), 0n))
})
