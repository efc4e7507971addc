import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type CountedGasEntry, decideAdmission, type ScopedGasEntries } from "./admission.ts"
import { DECAY_MS } from "./decay.ts"
import { UnpaidGasLimits } from "./UnpaidGasLimits.ts"

const limits = UnpaidGasLimits.defaultValue()
const NOW = 1_780_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const noGasEntries: ScopedGasEntries = { wallet: [], owner: [] }

const gasEntryAt = (atMs: number, usdE6 = 0n): CountedGasEntry => ({ atMs, count: 1, usdE6, unpriced: 0 })

const gasEntriesAgo = (...milliseconds: ReadonlyArray<number>) => milliseconds.map((ms) => gasEntryAt(NOW - ms))

/** Formats a decision: "allowed", "one each 60 s for the wallet", or scope, state and seconds of a rejection. */
const decisionTextOf = (gasEntries: Partial<ScopedGasEntries>) => {
  const decision = decideAdmission({ ...noGasEntries, ...gasEntries }, limits, NOW)
  if (decision._tag === "Refused") return `${decision.scope} ${decision.state} ${decision.retryAfterSeconds}`
  return decision.turn === null
    ? "allowed"
    : `one each ${decision.turn.everyMs / 1_000} s for the ${decision.turn.scope}`
}

describe("admission of a wallet", () => {
  it.each([
    ["no unpaid gas", [], "allowed"],
    ["one just now", [0], "wallet WAITING 60"],
    ["one half a minute ago", [30_000], "wallet WAITING 30"],
    ["one a minute ago", [MINUTE], "one each 60 s for the wallet"],
    ["one that has half decayed", [DECAY_MS / 2], "allowed"],
    ["two", [MINUTE, HOUR], "wallet WAITING 60"],
    ["two, after the wait", [2 * MINUTE, HOUR], "one each 120 s for the wallet"],
    ["three, one of them half decayed", [3 * HOUR, 3 * HOUR, DECAY_MS / 2], "wallet STOPPED 21600"],
    ["three immediately", [0, 0, 0], `wallet STOPPED ${16 * 3_600}`],
    ["one that has decayed, and one", [DECAY_MS, MINUTE], "one each 60 s for the wallet"]
  ] as const)("after %s", (_, gasEntries, expected) => {
    assert.strictEqual(decisionTextOf({ wallet: gasEntriesAgo(...gasEntries) }), expected)
  })
})

describe("admission of an owner", () => {
  it.each([
    ["two of other wallets", [0, 0], "allowed"],
    ["three", [HOUR, HOUR, HOUR], "one each 240 s for the owner"],
    ["six immediately", [0, 0, 0, 0, 0, 0], `owner STOPPED ${8 * 3_600}`]
  ] as const)("after %s", (_, gasEntries, expected) => {
    assert.strictEqual(decisionTextOf({ owner: gasEntriesAgo(...gasEntries) }), expected)
  })
})

const GasEntries = Schema.Array(
  Schema.Struct({
    atMs: Schema.Int.check(Schema.isBetween({ minimum: NOW - 2 * DECAY_MS, maximum: NOW + MINUTE })),
    count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })),
    usdE6: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 80_000_000n })),
    unpriced: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
  })
).check(Schema.isMaxLength(8))

const GeneratedGasEntries = Schema.Struct({ wallet: GasEntries, owner: GasEntries })

const waitOf = (gasEntries: ScopedGasEntries, nowMs = NOW): number => {
  const decision = decideAdmission(gasEntries, limits, nowMs)
  return decision._tag === "Refused" ? decision.retryAfterSeconds : 0
}

describe("admission with any unpaid gas", () => {
  it.prop(
    "rejects for at least as long, and grants at most as many turns, after one more entry",
    [GeneratedGasEntries, GasEntries, Schema.Literals(["wallet", "owner"])],
    ([gasEntries, addedGasEntries, scope]: readonly [
      ScopedGasEntries,
      ReadonlyArray<CountedGasEntry>,
      keyof ScopedGasEntries
    ]) => {
      const laterGasEntries = { ...gasEntries, [scope]: [...gasEntries[scope], ...addedGasEntries] }
      const [before, after] = [decideAdmission(gasEntries, limits, NOW), decideAdmission(laterGasEntries, limits, NOW)]
      if (before._tag === "Refused" || after._tag === "Refused") return waitOf(laterGasEntries) >= waitOf(gasEntries)
      return (after.turn?.everyMs ?? 0) >= (before.turn?.everyMs ?? 0) || after.turn?.scope !== before.turn?.scope
    }
  )

  it.prop(
    "accepts a caller after the reported wait, if there are no further entries",
    [GeneratedGasEntries],
    ([gasEntries]) => {
      const pastGasEntries = (gasEntryList: ReadonlyArray<CountedGasEntry>) =>
        gasEntryList.filter(({ atMs }) => atMs <= NOW)
      const history = { wallet: pastGasEntries(gasEntries.wallet), owner: pastGasEntries(gasEntries.owner) }
      return waitOf(history, NOW + waitOf(history) * 1_000) === 0
    }
  )

  it.prop("accepts everything two days after the last entry", [GeneratedGasEntries], ([gasEntries]) => {
    const decision = decideAdmission(gasEntries, limits, NOW + MINUTE + DECAY_MS)
    return decision._tag === "Allowed" && decision.turn === null
  })
})
