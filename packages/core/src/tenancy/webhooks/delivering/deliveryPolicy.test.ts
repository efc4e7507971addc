import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type AttemptOutcome, RETRY_AFTER_MAX_MS, RETRY_DELAYS_MS, verdictOf } from "./deliveryPolicy.ts"

const responseOutcomeOf = (status: number, retryAfterMs: number | null = null): AttemptOutcome => ({
  _tag: "Answered",
  status,
  retryAfterMs
})
const noResponse: AttemptOutcome = { _tag: "Unanswered", reason: "no response" }

const AttemptNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 }))
const Status = Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 }))
const Chance = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

describe("verdictOf", () => {
  it("waits according to the schedule, then fails", () => {
    const hour = 3_600_000
    const verdicts = Array.from({ length: 11 }, (_, index) => verdictOf(index + 1, noResponse, 0))
    assert.deepStrictEqual(verdicts, [
      ...[5_000, 300_000, 1_800_000, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour].map(
        (delayMs) => ({ _tag: "Retry", delayMs }) as const
      ),
      { _tag: "GaveUp" },
      { _tag: "GaveUp" }
    ])
  })

  it.each([
    [200, "Delivered"],
    [204, "Delivered"],
    [299, "Delivered"],
    [301, "Retry"],
    [307, "Retry"],
    [400, "Retry"],
    [404, "Retry"],
    [410, "Gone"],
    [429, "Retry"],
    [500, "Retry"]
  ] as const)("for %i is %s", (status, verdict) => {
    assert.strictEqual(verdictOf(1, responseOutcomeOf(status), 0)._tag, verdict)
  })

  it.effect.prop(
    "succeeds on 2xx only, ends on 410, and otherwise waits for the scheduled delay plus at most a tenth",
    { attempts: AttemptNumber, status: Status, chance: Chance },
    ({ attempts, chance, status }) =>
      Effect.sync(() => {
        const verdict = verdictOf(attempts, responseOutcomeOf(status), chance)
        const scheduledDelayMs = RETRY_DELAYS_MS[attempts - 1]
        if (status >= 200 && status < 300) return assert.strictEqual(verdict._tag, "Delivered")
        if (status === 410) return assert.strictEqual(verdict._tag, "Gone")
        if (scheduledDelayMs === undefined) return assert.strictEqual(verdict._tag, "GaveUp")
        assert.isTrue(
          verdict._tag === "Retry" &&
            verdict.delayMs >= scheduledDelayMs &&
            verdict.delayMs <= Math.round(scheduledDelayMs * 1.1)
        )
      })
  )

  it.effect.prop(
    "waits for the time that the endpoint requests, but at least as scheduled and at most up to the limit",
    { attempts: AttemptNumber, seconds: Seconds },
    ({ attempts, seconds }) =>
      Effect.sync(() => {
        const verdict = verdictOf(attempts, responseOutcomeOf(503, seconds * 1_000), 0)
        const scheduledDelayMs = RETRY_DELAYS_MS[attempts - 1]
        if (scheduledDelayMs === undefined) return assert.strictEqual(verdict._tag, "GaveUp")
        assert.deepStrictEqual(verdict, {
          _tag: "Retry",
          delayMs: Math.max(scheduledDelayMs, Math.min(seconds * 1_000, RETRY_AFTER_MAX_MS))
        })
      })
  )
})
