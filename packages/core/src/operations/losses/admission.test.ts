import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { admission, type CountedLoss, type ScopedLosses } from "./admission.ts"
import { DECAY_MS } from "./decay.ts"
import { LossLimits } from "./LossLimits.ts"

const limits = LossLimits.defaultValue()
const NOW = 1_780_000_000_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const noLosses: ScopedLosses = { wallet: [], owner: [] }

const lossAt = (atMs: number, usdE6 = 0n): CountedLoss => ({ atMs, count: 1, usdE6, unpriced: 0 })

const lossesAgo = (...milliseconds: ReadonlyArray<number>) => milliseconds.map((ms) => lossAt(NOW - ms))

/** Formats a decision: "allowed", "one each 60 s", or scope, state and seconds of a rejection. */
const decisionOn = (losses: Partial<ScopedLosses>) => {
  const decision = admission({ ...noLosses, ...losses }, limits, NOW)
  if (decision._tag === "Refused") return `${decision.scope} ${decision.state} ${decision.retryAfterSeconds}`
  return decision.turn === null
    ? "allowed"
    : `one each ${decision.turn.everyMs / 1_000} s for the ${decision.turn.scope}`
}

describe("admission of a wallet", () => {
  it.each([
    ["no loss", [], "allowed"],
    ["one just now", [0], "wallet WAITING 60"],
    ["one half a minute ago", [30_000], "wallet WAITING 30"],
    ["one a minute ago", [MINUTE], "one each 60 s for the wallet"],
    ["one that has half decayed", [DECAY_MS / 2], "allowed"],
    ["two", [MINUTE, HOUR], "wallet WAITING 60"],
    ["two, after the wait", [2 * MINUTE, HOUR], "one each 120 s for the wallet"],
    ["three, one of them half decayed", [3 * HOUR, 3 * HOUR, DECAY_MS / 2], "wallet STOPPED 21600"],
    ["three immediately", [0, 0, 0], `wallet STOPPED ${16 * 3_600}`],
    ["one that has decayed, and one", [DECAY_MS, MINUTE], "one each 60 s for the wallet"]
  ] as const)("after %s", (_, losses, expected) => {
    assert.strictEqual(decisionOn({ wallet: lossesAgo(...losses) }), expected)
  })
})

describe("admission of an owner", () => {
  it.each([
    ["two of other wallets", [0, 0], "allowed"],
    ["three", [HOUR, HOUR, HOUR], "one each 240 s for the owner"],
    ["six immediately", [0, 0, 0, 0, 0, 0], `owner STOPPED ${8 * 3_600}`]
  ] as const)("after %s", (_, losses, expected) => {
    assert.strictEqual(decisionOn({ owner: lossesAgo(...losses) }), expected)
  })
})

const Losses = Schema.Array(
  Schema.Struct({
    atMs: Schema.Int.check(Schema.isBetween({ minimum: NOW - 2 * DECAY_MS, maximum: NOW + MINUTE })),
    count: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })),
    usdE6: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 80_000_000n })),
    unpriced: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
  })
).check(Schema.isMaxLength(8))

const GeneratedLosses = Schema.Struct({ wallet: Losses, owner: Losses })

const waitOf = (losses: ScopedLosses, nowMs = NOW): number => {
  const decision = admission(losses, limits, nowMs)
  return decision._tag === "Refused" ? decision.retryAfterSeconds : 0
}

describe("admission of any losses", () => {
  it.prop(
    "rejects for at least as long, and grants at most as many turns, after one more entry",
    [GeneratedLosses, Losses, Schema.Literals(["wallet", "owner"])],
    ([losses, more, scope]: readonly [ScopedLosses, ReadonlyArray<CountedLoss>, keyof ScopedLosses]) => {
      const laterLosses = { ...losses, [scope]: [...losses[scope], ...more] }
      const [before, now] = [admission(losses, limits, NOW), admission(laterLosses, limits, NOW)]
      if (before._tag === "Refused" || now._tag === "Refused") return waitOf(laterLosses) >= waitOf(losses)
      return (now.turn?.everyMs ?? 0) >= (before.turn?.everyMs ?? 0) || now.turn?.scope !== before.turn?.scope
    }
  )

  it.prop(
    "accepts a caller after the reported wait, if there are no further entries",
    [GeneratedLosses],
    ([losses]) => {
      const pastLosses = (each: ReadonlyArray<CountedLoss>) => each.filter(({ atMs }) => atMs <= NOW)
      const history = { wallet: pastLosses(losses.wallet), owner: pastLosses(losses.owner) }
      return waitOf(history, NOW + waitOf(history) * 1_000) === 0
    }
  )

  it.prop("accepts everything two days after the last entry", [GeneratedLosses], ([losses]) => {
    const decision = admission(losses, limits, NOW + MINUTE + DECAY_MS)
    return decision._tag === "Allowed" && decision.turn === null
  })
})
