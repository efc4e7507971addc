import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { at } from "../../primitives/ids.fixture.ts"
import { aSecret } from "../WebhookEndpoint.fixture.ts"
import { activeSecrets, rotatedSecrets, SECRETS_MAX } from "../WebhookEndpoint.ts"
import { type AttemptOutcome, RETRY_AFTER_MAX_MS, RETRY_DELAYS_MS, retryAfterMs, verdictOf } from "./deliveryPolicy.ts"

const answered = (status: number, retryAfter: string | null = null): AttemptOutcome => ({
  _tag: "Answered",
  status,
  retryAfter
})
const unanswered: AttemptOutcome = { _tag: "Unanswered", reason: "no answer" }

const AttemptNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 }))
const Status = Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 599 }))
const Chance = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

describe("verdictOf", () => {
  it("waits as the schedule says, then gives up", () => {
    const hour = 3_600_000
    const waits = Array.from({ length: 11 }, (_, index) => verdictOf(index + 1, unanswered, at(0), 0))
    assert.deepStrictEqual(waits, [
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
  ] as const)("takes %i for %s", (status, verdict) => {
    assert.strictEqual(verdictOf(1, answered(status), at(0), 0)._tag, verdict)
  })

  it.effect.prop(
    "delivers on 2xx alone, ends on 410, and otherwise waits at least as long as scheduled and at most a tenth longer",
    { attempts: AttemptNumber, status: Status, chance: Chance },
    ({ attempts, chance, status }) =>
      Effect.sync(() => {
        const verdict = verdictOf(attempts, answered(status), at(0), chance)
        const scheduled = RETRY_DELAYS_MS[attempts - 1]
        if (status >= 200 && status < 300) return assert.strictEqual(verdict._tag, "Delivered")
        if (status === 410) return assert.strictEqual(verdict._tag, "Gone")
        if (scheduled === undefined) return assert.strictEqual(verdict._tag, "GaveUp")
        assert.isTrue(
          verdict._tag === "Retry" && verdict.delayMs >= scheduled && verdict.delayMs <= Math.round(scheduled * 1.1)
        )
      })
  )

  it.effect.prop(
    "waits as long as Retry-After asks, never less than scheduled and never past its bound",
    { attempts: AttemptNumber, seconds: Seconds },
    ({ attempts, seconds }) =>
      Effect.sync(() => {
        const verdict = verdictOf(attempts, answered(503, String(seconds)), at(0), 0)
        const scheduled = RETRY_DELAYS_MS[attempts - 1]
        if (scheduled === undefined) return assert.strictEqual(verdict._tag, "GaveUp")
        assert.deepStrictEqual(verdict, {
          _tag: "Retry",
          delayMs: Math.max(scheduled, Math.min(seconds * 1_000, RETRY_AFTER_MAX_MS))
        })
      })
  )
})

describe("retryAfterMs", () => {
  const now = DateTime.makeUnsafe("2026-10-21T07:28:00Z")

  it.each([
    ["120", 120_000],
    [" 0 ", 0],
    ["Wed, 21 Oct 2026 07:29:30 GMT", 90_000],
    ["Wed, 21 Oct 2026 07:00:00 GMT", 0]
  ])("reads %j", (header, expected) => {
    assert.deepStrictEqual(retryAfterMs(header, now), Option.some(expected))
  })

  it.each([null, "", "soon", "-5", "1.5", "2026-10-21", "99999999999"])("does not read %j", (header) => {
    assert.deepStrictEqual(retryAfterMs(header, now), Option.none())
  })
})

describe("rotatedSecrets", () => {
  const fresh = Redacted.make("whsec_new")
  const second = DateTime.toEpochMillis(at(0))

  it("puts the new secret first and ends the earlier ones after the overlap", () => {
    const [current, ending] = [aSecret(), aSecret({ expiresAt: at(5_000) })]
    const rotated = rotatedSecrets([current, ending], fresh, at(0), 60)
    assert.deepStrictEqual(
      rotated.map(({ expiresAt, secret }) => [Redacted.value(secret), expiresAt]),
      [
        ["whsec_new", null],
        [Redacted.value(current.secret), DateTime.makeUnsafe(second + 60_000)],
        [Redacted.value(ending.secret), at(5_000)]
      ]
    )
    assert.strictEqual(activeSecrets(rotated, at(59_999)).length, 2)
    assert.strictEqual(activeSecrets(rotated, at(60_000)).length, 1)
  })

  it("ends them at once without an overlap, and drops those that ended before", () => {
    const rotated = rotatedSecrets([aSecret(), aSecret({ expiresAt: at(-1) })], fresh, at(0), 0)
    assert.strictEqual(rotated.length, 1)
  })

  it("keeps a bounded number, the newest", () => {
    const secrets = Array.from({ length: 9 }, () => aSecret())
    const rotated = rotatedSecrets(secrets, fresh, at(0), 60)
    assert.strictEqual(rotated.length, SECRETS_MAX)
    assert.strictEqual(Redacted.value(rotated[1]!.secret), Redacted.value(secrets[0]!.secret))
  })
})
