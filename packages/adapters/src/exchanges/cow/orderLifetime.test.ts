import { Address } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { orderLifetime } from "./orderLifetime.ts"

const owner = Address.make(`0x${"a1".repeat(20)}`)
const NOW = 1_800_000_000

const lifetime = (expirationSeconds: number | null, kind: "SIMPLE_0_7" | "SIMPLE_7702" = "SIMPLE_7702") =>
  orderLifetime(
    {
      minAmountOut: 1n,
      expirationSeconds,
      partialFillable: true,
      account: { address: owner, owner, factory: owner, implementation: owner, salt: 0, kind, eip7702: false },
      recipient: owner,
      feeShares: []
    },
    NOW
  )

describe("orderLifetime", () => {
  it("is the requested lifetime, or a week by default", () => {
    assert.deepStrictEqual(lifetime(null), { seconds: 7 * 86_400, notice: null })
    for (const seconds of [120, 3_600, 365 * 86_400])
      assert.deepStrictEqual(lifetime(seconds), { seconds, notice: null })
  })

  it("is at least two minutes and at most a year, with the reason", () => {
    const short = lifetime(1)
    assert.strictEqual(short.seconds, 120)
    assert.include(short.notice, "2027-01-15T08:02:00Z")
    assert.include(short.notice, "at least 120 seconds")
    const long = lifetime(Number.MAX_SAFE_INTEGER)
    assert.strictEqual(long.seconds, 365 * 86_400)
    assert.include(long.notice, "at most 31536000 seconds")
  })

  it("may end at the maximum expiry for an order that is signed on-chain", () => {
    assert.deepStrictEqual(lifetime(400 * 86_400, "SIMPLE_0_7"), { seconds: 400 * 86_400, notice: null })
    assert.strictEqual(NOW + lifetime(Number.MAX_SAFE_INTEGER, "SIMPLE_0_7").seconds, 2 ** 32 - 1)
  })
})
